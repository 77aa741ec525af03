import { serverModule as abuse } from '../trust/abuse/index.ts';
import { serverModule as certificates } from '../trust/certificates/index.ts';
import { serverModule as credentials } from '../trust/credentials/index.ts';
import { serverModule as identity } from '../trust/identity/index.ts';
import { serverModule as sessions } from '../trust/sessions/index.ts';
import { serverModule as uploads } from '../trust/uploads/index.ts';
import { serverModule as federation } from '../trust/federation/index.ts';
import { serverModule as notices } from '../trust/notices/index.ts';
import { serverModule as account } from '../features/account/index.ts';
import { serverModule as agenda } from '../features/agenda/index.ts';
import { serverModule as contactData } from '../features/contact-data/index.ts';
import { serverModule as content } from '../features/content/index.ts';
import { serverModule as desk } from '../features/desk/index.ts';
import { serverModule as elevation } from '../features/elevation/index.ts';
import { serverModule as password } from '../features/password/index.ts';
import { serverModule as registration } from '../features/registration/index.ts';
import { serverModule as savedFlows } from '../features/saved-flows/index.ts';
import { serverModule as secondFactor } from '../features/second-factor/index.ts';
import { serverModule as signIn } from '../features/sign-in/index.ts';
import { serverModule as signature } from '../features/signature/index.ts';
import { serverModule as support } from '../features/support/index.ts';
import { serverModule as videoRoom } from '../features/video-room/index.ts';
import { serverModule as videoCalls } from '../features/video-calls/index.ts';
import type { RateLimitName, OperationName } from '../../contract/contract.ts';
import { mergeDistinctKeys, type UnionToIntersection } from '../../contract/operations/merge-module-exports.ts';
import type { ContentPlaceholderName } from '../features/content/content-placeholder-values.ts';
import type { HandlerContext } from '../features/handler-context.ts';
import { createTextLookup, sharedTextCatalogue, type TextCatalogue, type TextLookup } from '../platform/base/texts.ts';
import type { Database } from '../platform/database/schema.ts';
import type { AttemptLimit } from '../platform/modules/attempt-limits.ts';
import type { MailTemplate, MailName } from '../platform/modules/mail-templates.ts';
import type { PurgeRule, TableDescription } from '../platform/modules/table-descriptions.ts';
import { platformTableDescriptions } from '../platform/modules/platform-tables.ts';
import type { ModuleHandler, ServerModule } from '../platform/modules/server-module.ts';

export const serverModules = {
  platform: { texts: sharedTextCatalogue, tables: platformTableDescriptions },
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
} as const satisfies Readonly<Record<string, ServerModule>>;

// Kinds of contributions. Each record below merges those of all modules: a missing name is a compile error, and a name in two modules throws at the
// start.

type ContributionName = 'handlers' | 'limits' | 'mails' | 'tables';
type ContributionValues<Own, Name extends ContributionName> =
  Own extends Readonly<Record<Name, infer Values>> ? (Values extends () => infer Made ? Made : Values) : never;

function collectContributions<Name extends ContributionName>(name: Name) {
  const owners = Object.entries<ServerModule>(serverModules).map(
    ([module, { [name]: own = {} }]) => [module, own] as const,
  );
  const parts = owners.map(([module, own]) => [module, typeof own === 'function' ? own() : own] as const);
  return mergeDistinctKeys<unknown>(name, parts) as UnionToIntersection<
    ContributionValues<(typeof serverModules)[keyof typeof serverModules], Name>
  >; // the cast is needed because `mergeDistinctKeys` loses the types of the keys
}

export const operationHandlers: { readonly [Name in OperationName]: ModuleHandler<Name, HandlerContext> } =
  collectContributions('handlers');

export const rateLimits: Readonly<Record<RateLimitName, AttemptLimit>> = collectContributions('limits');

export const mailTemplates: Readonly<Record<MailName, MailTemplate>> = collectContributions('mails');

/** Descriptions of all tables. If a `policy` is not a placeholder of the privacy policy, the code does not compile. */
export const databaseTableDescriptions: Readonly<
  Record<
    keyof Database,
    TableDescription & { readonly retention: (PurgeRule & { readonly policy: ContentPlaceholderName | null }) | string }
  >
> = collectContributions('tables');

const collectTexts = (language: keyof TextCatalogue): Readonly<Record<string, string>> =>
  Object.assign({}, ...Object.values<ServerModule>(serverModules).map(({ texts }) => texts?.[language]));

export const textCatalogue: TextCatalogue = { es: collectTexts('es'), pt: collectTexts('pt') };

export const lookUpText: TextLookup = createTextLookup(textCatalogue);
