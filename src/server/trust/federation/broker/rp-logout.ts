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

/** What an application's request to end the session comes to. */
export type RpLogout =
  /** The session is over: on to `target`, or to a page that says so where the application named none. */
  | {
      readonly kind: 'ended';
      readonly target: string | null;
      readonly frames: readonly string[];
      /** Binds the way through service providers of SAML, where `target` is one, to this browser. */
      readonly browser?: string;
    }
  /** Nobody proved that the citizen wants it: ask. `next` is the path that goes on to the application afterwards. */
  | { readonly kind: 'ask'; readonly next: string | null }
  | { readonly kind: 'refused' };

/** A request at the logout endpoint. */
export interface RpLogoutRequest {
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Secret of the session's cookie. */
  readonly secret: string | undefined;
  /** What the browser is known by to service providers of SAML. */
  readonly browser?: string | undefined;
  readonly origin: Origin;
}

/** RP-initiated logout: with an ID Token of the very citizen at once, otherwise only after a question. */
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

/** Path of the broker that leads to an application's registered address after a logout; null when it is nobody's. */
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

/** An ID Token that this broker signed for a known application, expired or not; null for anything else. */
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
    if (protectedHeader.typ !== undefined && protectedHeader.typ !== 'JWT') return null; // a bearer or logout token of ours
    const { iss, aud, sub } = decodeJwt(token);
    const client = typeof aud === 'string' ? await provider.Client.find(aud) : undefined;
    const issuers = [provider.issuer, client?.['own_issuer']];
    return client && sub !== undefined && iss !== undefined && issuers.includes(iss) ? { client, subject: sub } : null;
  } catch {
    return null; // whatever is wrong with it, it proves nothing
  }
}
