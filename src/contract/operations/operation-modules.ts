import * as account from './account.ts';
import * as applications from './applications.ts';
import * as content from './content.ts';
import * as desk from './desk.ts';
import * as registration from './registration.ts';
import * as savedFlows from './saved-flows.ts';
import * as secondFactor from './second-factor.ts';
import * as sessions from './sessions.ts';
import * as signIn from './sign-in.ts';
import * as signature from './signature.ts';
import * as support from './support.ts';
import * as videoCalls from './video-calls.ts';
import * as videoRoom from './video-room.ts';

/** Each module exports its `operations`, their `responseSchemas`, the `requestBodySchemas` of bodies that are no form of a screen, and the `errorCodes` that only its operations return. */
export const operationModules = {
  account,
  applications,
  content,
  desk,
  registration,
  savedFlows,
  secondFactor,
  sessions,
  signIn,
  signature,
  support,
  videoCalls,
  videoRoom,
} as const;
