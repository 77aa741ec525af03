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
import { tables } from '../platform/topics/tables.ts';
import type { Topic } from '../platform/topics/topic.ts';
import type { LimitName } from '../../contract/contract.ts';
import { collect, type Both } from '../../contract/topics/collect.ts';
import type { Limit } from '../platform/topics/limit.ts';
import type { Mail } from '../platform/topics/mail.ts';
import { allTexts, sharedTexts, type Catalogue, type TextOf } from '../platform/base/texts.ts';

/** Every topic of the server. What concerns all of them is collected from here. */
export const topics = {
  platform: { texts: sharedTexts, tables },
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

const owners: readonly (readonly [string, Topic])[] = Object.entries(topics);

type LimitsOf<Own> = Own extends { readonly limits: infer Limits } ? Limits : never;

/** The limits of all topics. One that a row of the contract names and no topic has does not compile. */
export const limits: Readonly<Record<LimitName, Limit>> = collect(
  'limits',
  owners.map(([name, topic]) => [name, topic.limits ?? {}]),
) as Both<LimitsOf<(typeof topics)[keyof typeof topics]>>; // the same keys, by the same rule

export const mails: readonly Mail[] = Object.values(
  collect<Mail>(
    'mails',
    owners.map(([name, topic]) => [name, topic.mails ?? {}]),
  ),
);

const textsIn = (language: keyof Catalogue) =>
  collect(
    'texts',
    owners.map(([name, topic]) => [name, topic.texts?.[language] ?? {}]),
  );

export const catalogue: Catalogue = { es: textsIn('es'), pt: textsIn('pt') };

export const texts: TextOf = allTexts(catalogue);
