import type { Logger } from 'pino';
import type { Definitions } from '../../engine/compiler/definitions.ts';
import type { AuditKey } from '../platform/keys/audit-keys.ts';
import type { Captcha } from '../trust/abuse/captcha.ts';
import type { Interactions } from '../trust/federation/clients/pending-request.ts';
import type { Oidc } from '../trust/federation/oidc/open-oidc.ts';
import type { NotifyEnds } from '../trust/sessions/session-ends.ts';
import type { Applications, Saml } from '../trust/federation/saml/open-saml.ts';
import type { Upstreams } from '../trust/federation/upstream/open-upstream.ts';
import type { Wallet } from '../trust/federation/wallet/open-wallet.ts';
import type { Tokens } from '../trust/sessions/authenticate.ts';
import type { Clock } from '../platform/base/clock.ts';
import type { TextOf } from '../platform/base/texts.ts';
import type { Config } from '../platform/config/config.ts';
import type { Content } from './content/content.ts';
import type { Logos } from '../trust/federation/clients/logos.ts';
import type { Passwords } from '../trust/credentials/passwords.ts';
import type { Vault } from '../platform/keys/vault.ts';
import type { Templates } from '../platform/mail/templates.ts';
import type { Registry } from '../trust/identity/registry/registry.ts';
import type { Trust } from '../trust/certificates/trust.ts';
import type { FileChecker } from './signature/verification/file-checker.ts';
import type { CallMails } from './video-calls/call-mails.ts';
import type { Command, Commands } from '../trust/notices/commands.ts';
import type { Store } from '../platform/database/open-store.ts';
import type { Modules } from '../platform/definitions/modules.ts';
import type { LimitName, OperationName, ValidatedForm, ValidatingScreen } from '../../contract/contract.ts';
import type { Values } from '../../engine/core/json.ts';
import type {
  BareAnswer,
  Handler as OperationHandler,
  OperationRequest,
  Result,
} from '../platform/base/operation-request.ts';
import type { AnyHandler } from '../platform/topics/topic.ts';
import { ownCitizen } from '../trust/identity/own-citizen.ts';
import type { Limit } from '../platform/topics/limit.ts';
import type { Throttle } from '../trust/abuse/throttle.ts';

/**
 * Validates a part of a body with a screen that the operation lists in `validators`, using the facts of the caller. Throws a RefusedBody. Created by
 * `createValidateForm`.
 */
export type ValidateForm = <Screen extends ValidatingScreen>(
  screen: Screen,
  values: Values,
  request: Pick<OperationRequest<'answerChallenge'>, 'caller' | 'origin'>,
) => Promise<ValidatedForm<Screen>>;

export interface Parts {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly definitions: () => Definitions;
  readonly validateForm: ValidateForm;
  readonly texts: TextOf;
  readonly content: () => Content;
  readonly store: Store;
  readonly commands: Commands;
  readonly throttle: Throttle;
  /** Limits of all topics, by the names that the contract uses. */
  readonly limits: Readonly<Record<LimitName, Limit>>;
  readonly passwords: Passwords;
  readonly vault: Vault;
  /** Reloads the encryption and signing keys, which an operator may rotate while the server runs. */
  readonly rereadKeys: () => Promise<void>;
  /** Keys of the audit log. The first one creates new seals. Seals of all keys are trusted. */
  readonly auditKeys: readonly [AuditKey, ...AuditKey[]];
  readonly captcha: Captcha;
  readonly registry: Registry;
  readonly templates: Templates;
  readonly callMails: CallMails;
  readonly tokens: Tokens;
  /** Pending authentication requests of applications, for OpenID Connect and SAML. */
  readonly interactions: Interactions;
  readonly applications: Applications;
  readonly oidc: Oidc;
  readonly notifyEnds: NotifyEnds;
  readonly saml: Saml;
  readonly upstreams: Upstreams;
  readonly logos: Logos;
  readonly modules: Modules;
  /** Trusted certification authorities of digital signatures. */
  readonly trust: Trust;
  /** Checks signed files in worker threads. Close it on shutdown. */
  readonly fileChecker: FileChecker;
  /** Trusted certification authorities of identity cards. */
  readonly cardTrust: Trust;
  /** Verifier of digital wallets. `null` if sign-in with wallets is not configured. */
  readonly wallet: Wallet | null;
}

/** A handler that returns a reply: the response body with cookies, events or work to do afterwards. */
export type Handler<Name extends OperationName> = OperationHandler<Name, Parts>;

/** A handler that returns only the response body. */
export type AnswerHandler<Name extends OperationName> = (
  parts: Parts,
  request: OperationRequest<Name>,
) => Promise<BareAnswer<Name>>;

type OwnAccount = Awaited<ReturnType<typeof ownCitizen>>;
export type OwnCommand = Command & OwnAccount;

/** Creates a handler that reads the caller's own account. Throws a 401 if the account has been deleted, like `ownAct`. */
export function ownRead<Name extends OperationName>(
  read: (own: OwnAccount, request: OperationRequest<Name>, parts: Parts) => Promise<Result<Name>>,
): AnyHandler<Name, Parts> {
  return async (parts, request) => read(await ownCitizen(parts.store.db, request.caller), request, parts);
}

/** Creates a handler that changes the caller's own account in one command. The command loads the account within its transaction. */
export function ownAct<Name extends OperationName>(
  act: (command: OwnCommand, request: OperationRequest<Name>, parts: Parts) => Promise<Result<Name>>,
): AnyHandler<Name, Parts> {
  return (parts, request) =>
    parts.commands.run(request.origin, async (command) =>
      act({ ...command, ...(await ownCitizen(command.tx, request.caller)) }, request, parts),
    );
}
