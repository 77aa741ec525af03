import { getCaptcha } from '../abuse/get-captcha.ts';
import { agendaHandlers } from '../agenda/handlers.ts';
import { accountHandlers } from '../account/handlers.ts';
import type { Handlers } from '../base/call.ts';
import { endWays } from '../calls/end-ways.ts';
import { guardHandlers } from '../calls/guard.ts';
import { contactDataHandlers } from '../contact-data/handlers.ts';
import { contentHandlers } from '../content/handlers.ts';
import { deskHandlers } from '../desk/handlers.ts';
import { elevationHandlers } from '../elevation/handlers.ts';
import { brokerHandlers } from '../federation/broker/handlers.ts';
import { consentHandlers } from '../federation/consents/handlers.ts';
import { passwordHandlers } from '../password/handlers.ts';
import { registrationHandlers } from '../registration/handlers.ts';
import { secondFactorHandlers } from '../second-factor/handlers.ts';
import { savedFlowHandlers } from '../saved-flows/handlers.ts';
import { signInHandlers } from '../sign-in/handlers.ts';
import { signatureHandlers } from '../signature/handlers.ts';
import { supportHandlers } from '../support/handlers.ts';
import { videoCallHandlers } from '../video-calls/handlers.ts';
import { videoRoomHandlers } from '../video-room/handlers.ts';
import type { Parts } from './parts.ts';

/** The handler of every call of the contract, behind what its row asks for. */
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
  return endWays(parts, handlers);
}
