import { topic as abuse } from '../trust/abuse/topic.ts';
import { topic as certificates } from '../trust/certificates/topic.ts';
import { topic as credentials } from '../trust/credentials/topic.ts';
import { topic as identity } from '../trust/identity/topic.ts';
import { topic as sessions } from '../trust/sessions/topic.ts';
import { topic as federation } from '../trust/federation/topic.ts';
import { topic as notices } from '../trust/notices/topic.ts';
import { topic as account } from '../features/account/topic.ts';
import { topic as agenda } from '../features/agenda/topic.ts';
import { topic as contactData } from '../features/contact-data/topic.ts';
import { topic as content } from '../features/content/topic.ts';
import { topic as desk } from '../features/desk/topic.ts';
import { topic as elevation } from '../features/elevation/topic.ts';
import { topic as password } from '../features/password/topic.ts';
import { topic as registration } from '../features/registration/topic.ts';
import { topic as savedFlows } from '../features/saved-flows/topic.ts';
import { topic as secondFactor } from '../features/second-factor/topic.ts';
import { topic as signIn } from '../features/sign-in/topic.ts';
import { topic as signature } from '../features/signature/topic.ts';
import { topic as support } from '../features/support/topic.ts';
import { topic as videoRoom } from '../features/video-room/topic.ts';
import { topic as videoCalls } from '../features/video-calls/topic.ts';
import { topic as platform } from '../platform/topics/platform.ts';
import type { Topic } from '../platform/topics/topic.ts';

/** Every topic of the server. What concerns all of them is collected from here. */
export const topics = {
  platform,
  abuse,
  certificates,
  credentials,
  identity,
  sessions,
  federation,
  notices,
  account,
  agenda,
  contactData,
  content,
  desk,
  elevation,
  password,
  registration,
  savedFlows,
  secondFactor,
  signIn,
  signature,
  support,
  videoRoom,
  videoCalls,
} as const satisfies Readonly<Record<string, Topic>>;
