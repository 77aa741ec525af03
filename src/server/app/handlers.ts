import { getCaptcha } from '../trust/abuse/get-captcha.ts';
import { agendaHandlers } from '../features/agenda/handlers.ts';
import { accountHandlers } from '../features/account/handlers.ts';
import type { Handlers } from '../platform/base/operation-request.ts';
import { endJourneys } from '../web/operations/end-journeys.ts';
import { guardHandlers } from '../web/operations/guard.ts';
import { contactDataHandlers } from '../features/contact-data/handlers.ts';
import { contentHandlers } from '../features/content/handlers.ts';
import { deskHandlers } from '../features/desk/handlers.ts';
import { elevationHandlers } from '../features/elevation/handlers.ts';
import { brokerHandlers } from '../trust/federation/broker/handlers.ts';
import { consentHandlers } from '../trust/federation/consents/handlers.ts';
import { passwordHandlers } from '../features/password/handlers.ts';
import { registrationHandlers } from '../features/registration/handlers.ts';
import { secondFactorHandlers } from '../features/second-factor/handlers.ts';
import { savedFlowHandlers } from '../features/saved-flows/handlers.ts';
import { signInHandlers } from '../features/sign-in/handlers.ts';
import { signatureHandlers } from '../features/signature/handlers.ts';
import { supportHandlers } from '../features/support/handlers.ts';
import { videoCallHandlers } from '../features/video-calls/handlers.ts';
import { videoRoomHandlers } from '../features/video-room/handlers.ts';
import type { Parts } from './parts.ts';

/** The handler of every operation of the contract, behind what its row asks for. */
export function handlersOf(parts: Parts): Handlers {
  const handlers = guardHandlers(parts, {
    getCaptcha: getCaptcha(parts),
    ...registrationHandlers(parts),
    ...signInHandlers(parts),
    ...passwordHandlers(parts),
    ...contactDataHandlers(parts),
    ...secondFactorHandlers(parts),
    ...accountHandlers(parts),
    ...consentHandlers(parts),
    ...brokerHandlers(parts),
    ...signatureHandlers(parts),
    ...supportHandlers(parts),
    ...agendaHandlers(parts),
    ...videoCallHandlers(parts),
    ...videoRoomHandlers(parts),
    ...elevationHandlers(parts),
    ...deskHandlers(parts),
    ...contentHandlers(parts),
    ...savedFlowHandlers(parts),
  });
  return endJourneys(parts, handlers);
}
