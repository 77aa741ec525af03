import type { ValuesByName } from '../../../engine/core/json.ts';
import type { OperationName } from '../../../contract/contract.ts';
import type { BrokerLogoutEndpoints } from '../../trust/federation/broker/rp-initiated-logout.ts';
import type { SamlEndpoints } from '../../trust/federation/broker/saml-endpoints.ts';
import type { ProviderEndpoints } from '../../features/sign-in/provider-endpoints.ts';
import type { BoundOperationHandlers, Caller, OperationRequest } from '../../platform/base/operation-request.ts';
import type { OidcProvider } from '../../trust/federation/oidc/open-oidc.ts';
import type { OperationGuard } from './operation-guard.ts';
import type { CardSignInDependencies } from '../../trust/federation/card/identity-card-sign-in.ts';
import type { ClientDevice } from '../../platform/base/client-device.ts';
import type { WalletDependencies } from '../../trust/federation/wallet/presentation-requests.ts';
import type { StoredLogo } from '../../trust/federation/clients/logo-store.ts';

export interface ServerServices extends OperationGuard {
  /** Handlers by operation. They do not run the checks of `OperationGuard`. */
  readonly handlers: BoundOperationHandlers;
  /** Returns `null` if the token's session has ended. Restarts the idle timeout unless `passive` is true. */
  authenticate(token: string, passive?: boolean, device?: ClientDevice): Promise<Caller | null>;
  isDeskSession(cookie: string | undefined): Promise<boolean>;
  isLiveOrEndedDeskSession(cookie: string | undefined): Promise<boolean>;
  /** Loads the facts for the rules that validate `body`. */
  loadFacts<Name extends OperationName>(
    operation: Name,
    request: Pick<OperationRequest<Name>, 'caller' | 'params'> & { readonly body: unknown },
  ): Promise<ValuesByName>;
  readonly oidc: Pick<OidcProvider, 'handle'>;
  readonly broker: BrokerLogoutEndpoints;
  readonly saml: SamlEndpoints;
  readonly card: CardSignInDependencies;
  readonly providers: ProviderEndpoints;
  readonly wallet: WalletDependencies;
  findLogo(hash: string): Promise<StoredLogo | null>;
  /** Returns the source of a definitions module, script or stylesheet. Returns `null` if no replica served it recently. */
  module(url: string): Promise<string | null>;
  now(): Date;
  /** Returns the expected wait for a database connection, in milliseconds. */
  databaseWaitMs(): number;
  passwordWaitMs(): number;
  /** Resolves if the server can serve. Throws while the database is unavailable. */
  ready(): Promise<void>;
  close(): Promise<void>;
}
