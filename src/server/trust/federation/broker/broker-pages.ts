import type { IncomingMessage, ServerResponse } from 'node:http';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import type { LogOutNeeds } from './log-out.ts';
import type { Interactions } from '../clients/pending-request.ts';
import { registeredLogout, rpLogout, type RpLogout, type RpLogoutRequest } from './rp-logout.ts';
import { clientsOf, frontchannelUrl, sessionApplications } from '../oidc/session-clients.ts';

/** What the HTTP layer serves of the broker beside the operations. */
export interface BrokerPages {
  /** Answers a request at one of the OIDC provider's own addresses. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** Refuses an application's request for the citizen; answers the path that tells it, null when there is none. */
  cancelSignIn(processState: string): Promise<string | null>;
  logout(request: RpLogoutRequest): Promise<RpLogout>;
  /** Path that leads to an application's registered address after a logout; null when it is nobody's. */
  logoutTarget(uri: string, state: string | undefined): Promise<string | null>;
  /** Origins of the hidden frames that the logout of a session loads. */
  frameOrigins(secret: string | undefined): Promise<readonly string[]>;
}

/** The broker's pages over the provider. */
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
