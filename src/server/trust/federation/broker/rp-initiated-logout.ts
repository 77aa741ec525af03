import { hashSecret } from '../../../platform/keys/random-secrets.ts';
import { type LogoutDependencies, endSessionEverywhere } from './end-session-everywhere.ts';
import type { PendingRequestStore } from '../clients/pending-request.ts';
import { listOidcSessionClients, buildFrontchannelUrl, readSessionApplications } from '../oidc/link-oidc-sessions.ts';
import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import { buildHref } from '../../../../contract/build-href.ts';
import { listJwsSigners, type SigningKeys } from '../../../platform/keys/signing-keys.ts';
import { signingAlgorithms } from '../../../platform/keys/jws-signer.ts';
import type { ChangeOrigin } from '../../../platform/base/change-origin.ts';
import { findLiveSessionOfCookie } from '../../sessions/broker-sessions.ts';
import { oidcPaths } from '../oidc/oidc-paths.ts';

export type BrokerLogoutEndpoints = ReturnType<typeof createBrokerLogoutEndpoints>;

export function createBrokerLogoutEndpoints(
  dependencies: LogoutDependencies & { readonly pendingRequests: PendingRequestStore },
) {
  const { oidc, store, pendingRequests } = dependencies;
  return {
    /** Cancels a pending sign-in. Returns the path that reports the error to the application, or `null` if the request is unknown. */
    cancelSignIn: async (processState: string): Promise<string | null> =>
      (await pendingRequests.recordRefusal(processState))?.resumePath ?? null,
    logout: (request: RpLogoutRequest) => handleRpLogout(dependencies, request),
    /** Returns the path that continues to a registered post-logout redirect URI. Returns `null` if no client has registered the URI. */
    async logoutTarget(uri: string, state: string | undefined): Promise<string | null> {
      const clients = await oidc.clients.list();
      const owner = clients.find(({ postLogoutRedirectUris }) => postLogoutRedirectUris?.includes(uri));
      return owner ? buildLogoutPath(owner.id, uri, state) : null;
    },
    async frameOrigins(secret: string | undefined): Promise<readonly string[]> {
      if (secret === undefined) return [];
      const row = await store.db
        .selectFrom('broker_sessions')
        .select('oidc_uid')
        .where('hash', '=', hashSecret(secret))
        .executeTakeFirst();
      const clients = await listOidcSessionClients(oidc.provider, [
        await readSessionApplications(oidc.provider, row?.oidc_uid ?? null),
      ]);
      const urls = clients
        .map((client) => buildFrontchannelUrl(client, oidc.provider.issuer))
        .filter((url) => url !== null);
      return [...new Set(urls.map((url) => new URL(url).origin))];
    },
  };
}

type Client = InstanceType<Provider['Client']>;

type RpLogoutResult =
  /** A completed logout. The browser continues to `target`, or to a confirmation page if `target` is `null`. */
  | {
      readonly kind: 'ended';
      readonly target: string | null;
      readonly frames: readonly string[];
      /** Cookie value that binds the SAML logout to this browser. Present if `target` continues at SAML service providers. */
      readonly browser?: string;
    }
  /** The citizen must confirm, because another site may have requested the logout. Afterwards the browser continues at `next`. */
  | { readonly kind: 'ask'; readonly next: string | null }
  | { readonly kind: 'refused' };

interface RpLogoutRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  readonly secret: string | undefined;
  readonly browser?: string | undefined;
  readonly origin: ChangeOrigin;
}

/** Handles an RP-Initiated Logout. Ends the session at once if the ID token hint belongs to the same citizen. Otherwise the citizen must confirm. */
async function handleRpLogout(
  dependencies: LogoutDependencies,
  { query, secret, browser, origin }: RpLogoutRequest,
): Promise<RpLogoutResult> {
  const { oidc, store, clock } = dependencies;
  const hint = await verifyIdTokenHint(query['id_token_hint'], oidc.provider, oidc.signing.listCurrentKeys());
  const clientId = query['client_id'];
  if (hint !== null && clientId !== undefined && clientId !== hint.client.clientId) return { kind: 'refused' };
  const client = hint?.client ?? (await oidc.provider.Client.find(clientId ?? ''));
  const wanted = query['post_logout_redirect_uri'] ?? '';
  if (wanted !== '' && client?.postLogoutRedirectUriAllowed(wanted) !== true) return { kind: 'refused' };
  const state = query['state'];
  const target = wanted === '' ? null : addState(wanted, state);
  const session = await findLiveSessionOfCookie(store.db, secret, clock.now());
  if (session === null) return { kind: 'ended', target, frames: [] };
  if (hint !== null && hint.subject === (await oidc.subjectFor(hint.client, session.citizenId))) {
    const end = { kind: 'path', path: target ?? '/' } as const;
    const which = { id: session.id };
    const { frames, through } = await endSessionEverywhere(dependencies, { which, origin, end, browser });
    if (through !== null) return { kind: 'ended', target: through.path, frames: [], browser: through.browser };
    return { kind: 'ended', target, frames };
  }
  return { kind: 'ask', next: client && target !== null ? buildLogoutPath(client.clientId, wanted, state) : null };
}

function buildLogoutPath(clientId: string, uri: string, state: string | undefined): string {
  return buildHref(oidcPaths.logout, { client_id: clientId, post_logout_redirect_uri: uri, state });
}

/** Adds the parameter `state` to the URL at which a logout continues. */
export function addState(uri: string, state: string | null | undefined): string {
  if (state == null) return uri;
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}

/** Verifies an ID token that this broker issued to a registered client. The token may have expired. Returns `null` for any other text. */
async function verifyIdTokenHint(
  token: string | undefined,
  provider: Provider,
  keys: SigningKeys,
): Promise<{ client: Client; subject: string } | null> {
  if (token === undefined || token === '') return null;
  try {
    const set = createLocalJWKSet({ keys: listJwsSigners(keys).map(({ publicJwk }) => publicJwk) });
    const { protectedHeader } = await compactVerify(token, set, { algorithms: [...signingAlgorithms] });
    if (protectedHeader.typ !== undefined && protectedHeader.typ !== 'JWT') return null; // rejects access tokens and logout tokens of this broker
    const { iss, aud, sub } = decodeJwt(token);
    const client = typeof aud === 'string' ? await provider.Client.find(aud) : undefined;
    const issuers = [provider.issuer, client?.['own_issuer']];
    return client && sub !== undefined && iss !== undefined && issuers.includes(iss) ? { client, subject: sub } : null;
  } catch {
    return null; // an invalid hint is ignored
  }
}
