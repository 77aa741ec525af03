import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { addSeconds, type Clock } from '../../../platform/base/clock.ts';
import type { DatabaseStore, Tx } from '../../../platform/database/open-store.ts';
import { hashSecret } from '../../../platform/keys/random-secrets.ts';
import {
  identityProviderSkewS,
  recordSessionActivity,
  minActivityWriteIntervalS,
  findSignInTime,
  selectLiveSessions,
  type BrokerSessionRow,
} from '../../sessions/broker-sessions.ts';
import { formatAcr } from '../../identity/assurance-levels.ts';
import { toAmrValues } from '../../identity/challenge-names.ts';
import { isObject } from '../../../../engine/core/json.ts';
import type { Vault } from '../../../platform/keys/vault.ts';
import type { EndedSession } from '../../sessions/revoke-sessions.ts';
import { decryptOidcPayload } from './storage-adapter.ts';

type OidcSession = InstanceType<Provider['Session']>;

interface LoginTime {
  /** Start of the broker session, in seconds since the epoch. */
  readonly beganTs: number;
  /** Whether the time of the sign-in is known. If an identity provider does not report it, the sign-in may be of any age. */
  readonly isSignInTimeKnown: boolean;
  /** Maximum difference between the portal's clock and the clock that measured the sign-in, in seconds. */
  readonly skewS: number;
}

/** Broker sessions by `ctx.oidc`. The map is not keyed by session, because oidc-provider wraps sessions in a proxy. */
const brokerSessions = new WeakMap<object, BrokerSessionRow>();

/** Returns the start of the request's broker session. Without a broker session, returns a time that never satisfies a request for a new sign-in. */
export function findLoginTime({ oidc }: KoaContextWithOIDC): LoginTime {
  const broker = brokerSessions.get(oidc);
  if (broker === undefined) return { beganTs: 0, isSignInTimeKnown: false, skewS: 0 };
  const skewS = broker.idp === null ? 0 : identityProviderSkewS;
  return { beganTs: toSeconds(broker.created_at), isSignInTimeKnown: findSignInTime(broker) !== null, skewS };
}

interface LinkParts {
  readonly store: DatabaseStore;
  readonly clock: Clock;
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
}

/**
 * Derives the sessions of oidc-provider from broker sessions, so that one sign-in serves all applications, and one logout ends all of them. The
 * broker session is found by the cookie, or by the uid if the browser does not send that cookie (a cross-site POST).
 */
export function linkOidcSessions(provider: Provider, parts: LinkParts): void {
  const { Session } = provider;
  const load = Session.get.bind(Session);
  Session.get = async (ctx) => {
    const given = await load(ctx);
    const secret = parts.sessionSecret(ctx.req);
    const own = secret === undefined ? null : await findBrokerSession(parts, 'hash', hashSecret(secret));
    const broker =
      own ?? (given.accountId === undefined ? null : await findBrokerSession(parts, 'oidc_uid', given.uid));
    const linked =
      broker === null
        ? await removeAccount(provider, given)
        : copySignIn(await ensureOidcSession(provider, given, broker), broker);
    if (broker !== null) brokerSessions.set(ctx.oidc, broker);
    if (broker !== null && broker.oidc_uid !== linked.uid)
      await parts.store.db
        .updateTable('broker_sessions')
        .set({ oidc_uid: linked.uid })
        .where('id', '=', broker.id)
        .execute();
    if (own !== null && addSeconds(own.seen_at, minActivityWriteIntervalS) < parts.clock.now())
      await recordSessionActivity(parts.store.db, own.id, parts.clock.now());
    ctx.oidc.entity('Session', linked);
    return linked;
  };
}

async function findBrokerSession({ store, clock }: LinkParts, column: 'hash' | 'oidc_uid', value: string) {
  const found = await selectLiveSessions(store.db, clock.now())
    .where(`broker_sessions.${column}`, '=', value)
    .orderBy('broker_sessions.created_at', 'desc')
    .executeTakeFirst();
  return found ?? null;
}

async function removeAccount(provider: Provider, session: OidcSession): Promise<OidcSession> {
  if (session.accountId === undefined) return session;
  await session.destroy();
  return new provider.Session();
}

/**
 * The first call creates a session with a new id and ignores the browser's cookie: an attacker may have planted it and have a copy (session
 * fixation). If the browser's session belongs to the same citizen, its uid and authorizations are copied.
 */
async function ensureOidcSession(provider: Provider, given: OidcSession, broker: BrokerSessionRow) {
  if (given.uid === broker.oidc_uid) return given;
  const existing = broker.oidc_uid === null ? undefined : await provider.Session.findByUid(broker.oidc_uid);
  if (existing) return existing;
  const { uid, authorizations } = given;
  const isOwn = given.accountId === broker.citizen_id;
  await given.destroy();
  return Object.assign(new provider.Session(), isOwn && { uid, authorizations });
}

function copySignIn(session: OidcSession, broker: BrokerSessionRow): OidcSession {
  session.loginAccount({
    accountId: broker.citizen_id,
    acr: formatAcr(broker.nid),
    amr: toAmrValues(broker.amr.split(' ').filter((name) => name !== '')),
    loginTs: toSeconds(findSignInTime(broker) ?? broker.created_at),
  });
  Object.assign(session, { touched: true }); // makes oidc-provider save the session at the end of the request
  return session;
}

function toSeconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

type Client = InstanceType<Provider['Client']> & { backchannelLogout(accountId: string, sid: string): Promise<void> };

export interface OidcSessionClient {
  readonly client: Client;
  readonly sid: string;
  readonly accountId: string;
}

type SessionApplications = ReturnType<typeof readApplications>;

export async function readSessionApplications(provider: Provider, oidcUid: string | null) {
  const session = oidcUid === null ? undefined : await provider.Session.findByUid(oidcUid);
  return readApplications(session ?? {});
}

export async function listApplicationsOfEndedSessions(
  tx: Tx,
  vault: Vault,
  ended: readonly Pick<EndedSession, 'id'>[],
): Promise<readonly SessionApplications[]> {
  if (ended.length === 0) return [];
  const ids = ended.map(({ id }) => id);
  const rows = await tx.selectFrom('session_ends').select('payload').where('session_id', 'in', ids).execute();
  return rows.flatMap(({ payload }) => (payload === null ? [] : decryptSessionApplications(vault, payload)));
}

export function decryptSessionApplications(vault: Vault, payload: string): SessionApplications {
  return readApplications(decryptOidcPayload(vault, 'Session', payload));
}

/** Revokes the grants of sessions, including refresh tokens, which would otherwise outlive them. */
export async function revokeGrantsOfSessions(tx: Tx, sessions: readonly SessionApplications[]): Promise<void> {
  const grants = sessions.flatMap(({ applications }) => applications.flatMap(({ grantId }) => grantId ?? []));
  if (grants.length === 0) return;
  await tx.deleteFrom('oidc_records').where('grant_id', 'in', grants).execute();
  await tx.deleteFrom('oidc_records').where('model', '=', 'Grant').where('id', 'in', grants.map(hashSecret)).execute();
}

export async function listOidcSessionClients(
  provider: Provider,
  sessions: readonly SessionApplications[],
): Promise<readonly OidcSessionClient[]> {
  const found: OidcSessionClient[] = [];
  for (const { accountId, applications } of sessions)
    for (const { clientId, sid } of applications) {
      const client = sid === null ? undefined : await provider.Client.find(clientId);
      if (client && sid !== null) found.push({ client: client as Client, sid, accountId });
    }
  return found;
}

export function buildFrontchannelUrl({ client, sid }: OidcSessionClient, issuer: string): string | null {
  const uri = client['frontchannel_logout_uri'];
  if (typeof uri !== 'string') return null;
  const url = new URL(uri);
  url.searchParams.set('iss', issuer);
  url.searchParams.set('sid', sid);
  return url.href;
}

function readApplications(session: { readonly accountId?: unknown; readonly authorizations?: unknown }) {
  const { accountId, authorizations } = session;
  const entries = isObject(authorizations) ? Object.entries(authorizations) : [];
  return {
    accountId: toTextOrNull(accountId) ?? '',
    applications: entries.flatMap(([clientId, authorization]) =>
      isObject(authorization)
        ? [{ clientId, sid: toTextOrNull(authorization.sid), grantId: toTextOrNull(authorization.grantId) }]
        : [],
    ),
  };
}

function toTextOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
