import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { LogOutNeeds } from './log-out.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { registeredLogout, rpLogout, type RpLogout, type RpLogoutRequest } from './rp-logout.ts';
import { clientsOf, frontchannelUrl, sessionApplications } from '../oidc/session-clients.ts';

/** Pages of the broker that the HTTP layer serves besides the API operations. */
export interface BrokerPages {
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Refuses a pending authorization request. Returns the path that sends the error to the application, or `null` if there is no such request. */
  cancelSignIn(processState: string): Promise<string | null>;
  logout(request: RpLogoutRequest): Promise<RpLogout>;
  /** Path that continues to a registered post-logout redirect URI. Returns `null` if no client has registered it. */
  logoutTarget(uri: string, state: string | undefined): Promise<string | null>;
  /** Origins of the front-channel logout frames that ending this session loads. */
  frameOrigins(secret: string | undefined): Promise<readonly string[]>;
}

export function openBrokerPages(needs: LogOutNeeds & { readonly interactions: Interactions }): BrokerPages {
  const { oidc, store, interactions } = needs;
  return {
    handle: oidc.handle,
    async cancelSignIn(processState) {
      return (await interactions.refuse(processState))?.next ?? null;
    },
    logout: (request) => rpLogout(needs, request),
    logoutTarget: (uri, state) => registeredLogout(needs, uri, state),
    async frameOrigins(secret) {
      if (secret === undefined) return [];
      const row = await store.db
        .selectFrom('broker_sessions')
        .select('oidc_uid')
        .where('hash', '=', hashSecret(secret))
        .executeTakeFirst();
      const clients = await clientsOf(oidc.provider, [await sessionApplications(oidc.provider, row?.oidc_uid ?? null)]);
      const urls = clients.map((client) => frontchannelUrl(client, oidc.provider.issuer)).filter((url) => url !== null);
      return [...new Set(urls.map((url) => new URL(url).origin))];
    },
  };
}
