import type { Values } from '../../../engine/core/json.ts';
import type { OperationName } from '../../../contract/contract.ts';
import type { BrokerPages } from '../../trust/federation/broker/broker-pages.ts';
import type { SamlPages } from '../../trust/federation/broker/saml-pages.ts';
import type { ProviderPages } from '../../features/sign-in/by-provider.ts';
import type { Caller, OperationRequest, Handlers } from '../../platform/base/operation-request.ts';
import type { Origin } from '../../platform/base/origin.ts';
import type { CardNeeds } from '../../trust/federation/card/receive-card.ts';
import type { WalletNeeds } from '../../trust/federation/wallet/requests.ts';
import type { Logo } from '../../trust/federation/clients/logos.ts';

/** The backend and broker behind the HTTP layer. */
export interface Services {
  readonly handlers: Handlers;
  /** Who a bearer token stands for, checked against its session in the database; null: nobody. `passive`: the operation is no sight of the citizen. */
  authenticate(token: string, passive?: boolean): Promise<Caller | null>;
  /** Whether the session of a cookie is an agent's, for whom the desk exists. */
  sitsAtDesk(cookie: string | undefined): Promise<boolean>;
  /** Whether such a session was of that cookie, and may have ended. */
  satAtDesk(cookie: string | undefined): Promise<boolean>;
  /** Counts a try of an operation under its address, where its row has a limit; throws while that waits. */
  count(operation: OperationName, origin: Pick<Origin, 'address'>): Promise<void>;
  /** Facts of the server for the validator of an operation's screen (flags, the citizen's record); the body is not checked yet. */
  context<Name extends OperationName>(
    operation: Name,
    request: Pick<OperationRequest<Name>, 'caller' | 'params'> & { readonly body: unknown },
  ): Promise<Values>;
  readonly broker: BrokerPages;
  readonly saml: SamlPages;
  /** What identity cards are received with. */
  readonly card: CardNeeds;
  readonly providers: ProviderPages;
  /** What wallets are asked with. */
  readonly wallet: WalletNeeds;
  /** A stored logo by the hash of its content. */
  logo(hash: string): Promise<Logo | null>;
  /** A module of definitions, or a script or style of a build, that some replica served lately, by its address; null: none did. */
  module(url: string): Promise<string | null>;
  /** The time of the server. */
  now(): Date;
  /** For how long the request that has waited longest for the database has waited, in milliseconds; 0: none waits. */
  databaseWaitMs(): number;
  /** How long a password that comes now waits for its hash, in milliseconds. */
  passwordWaitMs(): number;
  /** Throws while the database cannot answer. */
  ready(): Promise<void>;
  /** Ends the workers and the database, after the work under way. */
  close(): Promise<void>;
}
