import { compactVerify, createLocalJWKSet, decodeJwt } from 'jose';
import type Provider from 'oidc-provider';
import { href } from '../../../../contract/href.ts';
import { publicSet, type SigningKeys } from '../../../platform/keys/signing-keys.ts';
import type { Origin } from '../../../platform/base/origin.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';
import type { Oidc } from '../oidc/open-oidc.ts';
import { oidcPaths } from '../oidc/addresses.ts';
import { logOut, type LogOutNeeds } from './log-out.ts';

type Client = InstanceType<Provider['Client']>;

/** Outcome of a logout request by an application (RP-Initiated Logout). */
export type RpLogout =
  /** The session has ended. The browser continues to `target`, or to a confirmation page if it is `null`. */
  | {
      readonly kind: 'ended';
      readonly target: string | null;
      readonly frames: readonly string[];
      /** Cookie value that binds the SAML logout to this browser, if `target` continues at SAML service providers. */
      readonly browser?: string;
    }
  /** Nothing proves that the citizen requested it, so ask for confirmation. Afterwards the browser continues to the application at `next`. */
  | { readonly kind: 'ask'; readonly next: string | null }
  | { readonly kind: 'refused' };

export interface RpLogoutRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Value of the session cookie. */
  readonly secret: string | undefined;
  /** Cookie value that binds SAML requests to this browser. */
  readonly browser?: string | undefined;
  readonly origin: Origin;
}

/** RP-Initiated Logout. Ends the session at once if the ID token hint belongs to the same citizen. Otherwise the citizen has to confirm. */
export async function rpLogout(
  needs: LogOutNeeds,
  { query, secret, browser, origin }: RpLogoutRequest,
): Promise<RpLogout> {
  const { oidc, store, clock } = needs;
  const hint = await readHint(query['id_token_hint'], oidc.provider, oidc.signing.now());
  const client = hint?.client ?? (await oidc.provider.Client.find(query['client_id'] ?? ''));
  const wanted = query['post_logout_redirect_uri'] ?? '';
  if (wanted !== '' && client?.postLogoutRedirectUriAllowed(wanted) !== true) return { kind: 'refused' };
  const state = query['state'];
  const target = wanted === '' ? null : withState(wanted, state);
  const session = secret === undefined ? null : await sessionOfCookie(store.db, secret, clock.now());
  if (session === null) return { kind: 'ended', target, frames: [] };
  if (hint?.subject === session.citizenId) {
    const end = { kind: 'path', path: target ?? '/' } as const;
    const { frames, through } = await logOut(needs, { which: { secret }, origin, end, browser });
    if (through !== null) return { kind: 'ended', target: through.path, frames: [], browser: through.browser };
    return { kind: 'ended', target, frames };
  }
  return { kind: 'ask', next: client && target !== null ? logoutPath(client.clientId, wanted, state) : null };
}

export async function registeredLogout(
  { oidc }: { oidc: Oidc },
  uri: string,
  state: string | undefined,
): Promise<string | null> {
  const owner = (await oidc.clients.list()).find(({ postLogoutRedirectUris }) => postLogoutRedirectUris?.includes(uri));
  return owner ? logoutPath(owner.id, uri, state) : null;
}

function logoutPath(clientId: string, uri: string, state: string | undefined): string {
  return href(oidcPaths.logout, { client_id: clientId, post_logout_redirect_uri: uri, state });
}

function withState(uri: string, state: string | undefined): string {
  if (state === undefined) return uri;
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams({ state })}`;
}

/** Reads an ID token that this broker issued to a registered client, even if it has expired. Returns `null` for anything else. */
async function readHint(
  token: string | undefined,
  provider: Provider,
  keys: SigningKeys,
): Promise<{ client: Client; subject: string } | null> {
  if (token === undefined || token === '') return null;
  try {
    const { protectedHeader } = await compactVerify(token, createLocalJWKSet(publicSet(keys)), {
      algorithms: ['RS256'],
    });
    if (protectedHeader.typ !== undefined && protectedHeader.typ !== 'JWT') return null; // an access token or logout token of ours
    const { iss, aud, sub } = decodeJwt(token);
    const client = typeof aud === 'string' ? await provider.Client.find(aud) : undefined;
    const issuers = [provider.issuer, client?.['own_issuer']];
    return client && sub !== undefined && iss !== undefined && issuers.includes(iss) ? { client, subject: sub } : null;
  } catch {
    return null; // an invalid hint proves nothing
  }
}
