import type { Logger } from 'pino';
import type { ServedDefinitions } from '../../engine/compiler/definitions.ts';
import type { AuditKey } from '../platform/keys/audit-keys.ts';
import type { CaptchaService } from '../trust/abuse/captcha.ts';
import type { PendingRequestStore } from '../trust/federation/clients/pending-request.ts';
import type { OidcProvider } from '../trust/federation/oidc/open-oidc.ts';
import type { NotifySessionEnds } from '../trust/sessions/session-ends.ts';
import type { ApplicationLookup, SamlProvider } from '../trust/federation/saml/open-saml.ts';
import type { UpstreamProviders } from '../trust/federation/upstream/upstream-providers.ts';
import type { WalletVerifier } from '../trust/federation/wallet/wallet-verifier.ts';
import type { AccessTokenIssuer } from '../trust/sessions/access-tokens.ts';
import type { Clock } from '../platform/base/clock.ts';
import type { TextLookup } from '../platform/base/texts.ts';
import type { Config } from '../platform/config/config.ts';
import type { ContentByLanguage } from './content/localized-content.ts';
import type { LogoStore } from '../trust/federation/clients/logo-store.ts';
import type { PasswordHasher } from '../trust/credentials/passwords.ts';
import type { Vault } from '../platform/keys/vault.ts';
import type { MailTemplates } from '../platform/mail/load-mail-templates.ts';
import type { IdentityRegistry } from '../trust/identity/registry/identity-registry.ts';
import type { TrustStore } from '../trust/certificates/trust-store.ts';
import type { SignedFileChecker } from './signature/verification/signed-file-checker.ts';
import type { CallMails } from './video-calls/call-mails.ts';
import type { DatabaseCommand, DatabaseCommandRunner } from '../trust/notices/database-commands.ts';
import type { DatabaseStore } from '../platform/database/open-store.ts';
import type { BrowserModuleStore } from '../platform/definitions/browser-module-store.ts';
import type { RateLimitName, OperationName, ValidatedForm, ValidatingScreenName } from '../../contract/contract.ts';
import type { ValuesByName } from '../../engine/core/json.ts';
import type {
  ReplyBody,
  OperationHandler,
  OperationRequest,
  OperationHandlerResult,
} from '../platform/base/operation-request.ts';
import type { ModuleHandler } from '../platform/modules/server-module.ts';
import { readCallerAccount } from '../trust/identity/read-caller-account.ts';
import type { AttemptLimit } from '../platform/modules/attempt-limits.ts';
import type { MalwareScanner } from '../trust/uploads/malware-scanner.ts';
import type { AttemptThrottle } from '../trust/abuse/attempt-throttle.ts';

/** Validates values with a screen and the facts of the caller. Throws an `InvalidBodyError` if they are invalid. */
export type ValidateForm = <Screen extends ValidatingScreenName>(
  screen: Screen,
  values: ValuesByName,
  request: Pick<OperationRequest<'answerChallenge'>, 'caller' | 'origin'>,
) => Promise<ValidatedForm<Screen>>;

export interface HandlerContext {
  readonly config: Config;
  readonly clock: Clock;
  readonly log: Logger;
  readonly definitions: () => ServedDefinitions;
  readonly validateForm: ValidateForm;
  readonly texts: TextLookup;
  readonly content: () => ContentByLanguage;
  readonly store: DatabaseStore;
  readonly commands: DatabaseCommandRunner;
  readonly throttle: AttemptThrottle;
  readonly limits: Readonly<Record<RateLimitName, AttemptLimit>>;
  readonly passwords: PasswordHasher;
  readonly vault: Vault;
  /** Reloads the encryption and signing keys, because an operator may rotate them while the server runs. */
  readonly rereadKeys: () => Promise<void>;
  /** Keys of the audit log. The first key signs new seals, and all keys verify existing seals. */
  readonly auditKeys: readonly [AuditKey, ...AuditKey[]];
  readonly captcha: CaptchaService;
  readonly registry: IdentityRegistry;
  readonly templates: MailTemplates;
  readonly callMails: CallMails;
  readonly tokens: AccessTokenIssuer;
  readonly pendingRequests: PendingRequestStore;
  readonly applications: ApplicationLookup;
  readonly oidc: OidcProvider;
  readonly notifyEnds: NotifySessionEnds;
  readonly saml: SamlProvider;
  readonly upstreams: UpstreamProviders;
  readonly logos: LogoStore;
  readonly modules: BrowserModuleStore;
  readonly scanner: MalwareScanner;
  /** Trusted certificate authorities of digital signatures. */
  readonly trust: TrustStore;
  /** Checks signed files in worker threads. Must be closed on shutdown. */
  readonly fileChecker: SignedFileChecker;
  /** Trusted certificate authorities of identity cards. */
  readonly cardTrust: TrustStore;
  /** Verifier of digital wallets. `null` if sign-in with wallets is not configured. */
  readonly wallet: WalletVerifier | null;
}

/** A handler that returns a reply: the response body, and cookies, an event stream or work to do after the response. */
export type ReplyHandler<Name extends OperationName> = OperationHandler<Name, HandlerContext>;

export type ResponseBodyHandler<Name extends OperationName> = (
  parts: HandlerContext,
  request: OperationRequest<Name>,
) => Promise<ReplyBody<Name>>;

type CallerAccount = Awaited<ReturnType<typeof readCallerAccount>>;
export type AccountCommand = DatabaseCommand & CallerAccount;

/** Creates a handler that runs in one command. */
export function createCommandHandler<Name extends OperationName>(
  act: (
    command: DatabaseCommand,
    request: OperationRequest<Name>,
    parts: HandlerContext,
  ) => Promise<OperationHandlerResult<Name>>,
): ModuleHandler<Name, HandlerContext> {
  return (parts, request) => parts.commands.run(request.origin, (command) => act(command, request, parts));
}

/** Creates a handler that reads the caller's own account. The handler throws a 401 if the account has been deleted. */
export function createAccountReadHandler<Name extends OperationName>(
  read: (
    own: CallerAccount,
    request: OperationRequest<Name>,
    parts: HandlerContext,
  ) => Promise<OperationHandlerResult<Name>>,
): ModuleHandler<Name, HandlerContext> {
  return async (parts, request) => read(await readCallerAccount(parts.store.db, request.caller), request, parts);
}

/** Creates a handler that reads and changes the caller's own account in one command. Throws a 401 if the account has been deleted. */
export function createAccountCommandHandler<Name extends OperationName>(
  act: (
    command: AccountCommand,
    request: OperationRequest<Name>,
    parts: HandlerContext,
  ) => Promise<OperationHandlerResult<Name>>,
): ModuleHandler<Name, HandlerContext> {
  return createCommandHandler(async (command, request, parts) =>
    act({ ...command, ...(await readCallerAccount(command.tx, request.caller)) }, request, parts),
  );
}
