import type { FromSchema } from 'json-schema-to-ts';
import { empty } from './shapes.ts';
import { accountAnswers } from './topics/account.ts';
import { applicationsAnswers } from './topics/applications.ts';
import { messagesAnswers } from './topics/messages.ts';
import { contentAnswers } from './topics/content.ts';
import { deskAnswers } from './topics/desk-shapes.ts';
import { overviewAnswers } from './topics/overview.ts';
import { passkeysAnswers } from './topics/passkeys.ts';
import { registrationAnswers } from './topics/registration.ts';
import { secondFactorAnswers } from './topics/second-factor.ts';
import { sessionsAnswers } from './topics/sessions.ts';
import { providersAnswers } from './topics/providers.ts';
import { samlAnswers } from './topics/saml.ts';
import { savedFlowsAnswers } from './topics/saved-flows.ts';
import { signInAnswers } from './topics/sign-in.ts';
import { signatureAnswers } from './topics/signature.ts';
import { videoCallsAnswers } from './topics/video-calls.ts';
import { videoRoomAnswers } from './topics/video-room.ts';

/**
 * JSON Schemas of the answers of the contract's operations (section 3 of the specification). The server serializes by them,
 * so that a field that is not declared never leaves it; the OpenAPI description and the TypeScript types come from them.
 */
export const answers = {
  empty,
  ...accountAnswers,
  ...applicationsAnswers,
  ...contentAnswers,
  ...messagesAnswers,
  ...overviewAnswers,
  ...passkeysAnswers,
  ...registrationAnswers,
  ...secondFactorAnswers,
  ...sessionsAnswers,
  ...savedFlowsAnswers,
  ...signInAnswers,
  ...samlAnswers,
  ...providersAnswers,
  ...signatureAnswers,
  ...videoCallsAnswers,
  ...videoRoomAnswers,
  ...deskAnswers,
} as const;

export type AnswerName = keyof typeof answers;

/** The type of each answer: a mapped type, which the compiler can look into by a name that it does not know yet. */
type AnswerTypes = { readonly [Name in AnswerName]: FromSchema<(typeof answers)[Name]> };
export type AnswerOf<Name extends AnswerName> = AnswerTypes[Name];
