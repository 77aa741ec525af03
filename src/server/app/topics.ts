import { topic as abuse } from '../trust/abuse/index.ts';
import { topic as certificates } from '../trust/certificates/index.ts';
import { topic as credentials } from '../trust/credentials/index.ts';
import { topic as identity } from '../trust/identity/index.ts';
import { topic as sessions } from '../trust/sessions/index.ts';
import { topic as uploads } from '../trust/uploads/index.ts';
import { topic as federation } from '../trust/federation/index.ts';
import { topic as notices } from '../trust/notices/index.ts';
import { topic as account } from '../features/account/index.ts';
import { topic as agenda } from '../features/agenda/index.ts';
import { topic as contactData } from '../features/contact-data/index.ts';
import { topic as content } from '../features/content/index.ts';
import { topic as desk } from '../features/desk/index.ts';
import { topic as elevation } from '../features/elevation/index.ts';
import { topic as password } from '../features/password/index.ts';
import { topic as registration } from '../features/registration/index.ts';
import { topic as savedFlows } from '../features/saved-flows/index.ts';
import { topic as secondFactor } from '../features/second-factor/index.ts';
import { topic as signIn } from '../features/sign-in/index.ts';
import { topic as signature } from '../features/signature/index.ts';
import { topic as support } from '../features/support/index.ts';
import { topic as videoRoom } from '../features/video-room/index.ts';
import { topic as videoCalls } from '../features/video-calls/index.ts';
import type { RateLimitName, OperationName } from '../../contract/contract.ts';
import { mergeDistinctKeys, type UnionToIntersection } from '../../contract/topics/collect-exports.ts';
import type { ContentValueName } from '../features/content/content-values.ts';
import type { HandlerContext } from '../features/handler-context.ts';
import { createTextLookup, sharedTextCatalogue, type TextCatalogue, type TextLookup } from '../platform/base/texts.ts';
import type { Database } from '../platform/database/schema.ts';
import type { AttemptLimit } from '../platform/topics/attempt-limits.ts';
import type { MailTemplate, MailName } from '../platform/topics/mail-templates.ts';
import type { PurgeRule, TableDescription } from '../platform/topics/table-descriptions.ts';
import { platformTables } from '../platform/topics/platform-tables.ts';
import type { TopicHandler, Topic } from '../platform/topics/topic.ts';

export const topics = {
  platform: { texts: sharedTextCatalogue, tables: platformTables },
  abuse,
  certificates,
  credentials,
  identity,
  sessions,
  uploads,
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

// Each record below merges the entries of all topics. A missing name is a compile error. A name in two topics throws at the start.

type ContributionName = 'handlers' | 'limits' | 'mails' | 'tables';
type ContributionValues<Own, Name extends ContributionName> =
  Own extends Readonly<Record<Name, infer Values>> ? (Values extends () => infer Made ? Made : Values) : never;

function collectContributions<Name extends ContributionName>(name: Name) {
  const owners = Object.entries<Topic>(topics).map(([topic, { [name]: own = {} }]) => [topic, own] as const);
  const parts = owners.map(([topic, own]) => [topic, typeof own === 'function' ? own() : own] as const);
  return mergeDistinctKeys<unknown>(name, parts) as UnionToIntersection<
    ContributionValues<(typeof topics)[keyof typeof topics], Name>
  >; // the cast is needed because `mergeDistinctKeys` loses the types of the keys
}

export const operationHandlers: { readonly [Name in OperationName]: TopicHandler<Name, HandlerContext> } =
  collectContributions('handlers');

export const rateLimits: Readonly<Record<RateLimitName, AttemptLimit>> = collectContributions('limits');

export const mailTemplates: Readonly<Record<MailName, MailTemplate>> = collectContributions('mails');

/** A `policy` that is no placeholder of the privacy policy is a compile error. */
export const databaseTables: Readonly<
  Record<
    keyof Database,
    TableDescription & { readonly retention: (PurgeRule & { readonly policy: ContentValueName | null }) | string }
  >
> = collectContributions('tables');

const collectTexts = (language: keyof TextCatalogue): Readonly<Record<string, string>> =>
  Object.assign({}, ...Object.values<Topic>(topics).map(({ texts }) => texts?.[language]));

export const textCatalogue: TextCatalogue = { es: collectTexts('es'), pt: collectTexts('pt') };

export const lookUpText: TextLookup = createTextLookup(textCatalogue);
