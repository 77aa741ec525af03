import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Kysely } from 'kysely';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import { isLive, providerSkewS, seeSession, seenEveryS, signedInAt } from '../../sessions/sessions.ts';
import { formatAcr } from '../../identity/levels.ts';
import { publicMethods } from '../../identity/names.ts';

type OidcSession = InstanceType<Provider['Session']>;

/** Times of the sign-in behind a session of oidc-provider, in addition to its `loginTs`. */
interface LoginTime {
  /** Start of the broker session, in seconds since the epoch. */
  readonly beganTs: number;
  /** Whether the time of the sign-in is known. If an identity provider does not report it, it may be any time in the past. */
  readonly known: boolean;
  /** How much the clock that measured the sign-in may differ from ours, in seconds. */
  readonly skewS: number;
}

/** Keyed by `ctx.oidc` rather than by session, because oidc-provider wraps sessions in a proxy. */
const loginTimes = new WeakMap<object, LoginTime>();

/** Without a broker session, returns times that never satisfy a request for a new sign-in. */
export function findLoginTime({ oidc }: KoaContextWithOIDC): LoginTime {
  return loginTimes.get(oidc) ?? { beganTs: 0, known: false, skewS: 0 };
}

export interface LinkParts {
  readonly store: Store;
  readonly clock: Clock;
  /** Returns the value of the session cookie. */
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
}

interface BrokerSession {
  readonly id: string;
  readonly citizen_id: string;
  readonly amr: string;
  readonly nid: number;
  readonly created_at: Date;
  readonly authenticated_at: Date | null;
  readonly idp: string | null;
  readonly oidc_uid: string | null;
  readonly seen_at: Date;
}

/**
 * Makes the session of oidc-provider follow the broker session: whenever it is loaded, its account, acr, amr and login time come from the broker
 * session of the cookie, or of the uid if the browser does not send that cookie (a cross-site POST). Without a live broker session, nobody is signed
 * in. So one sign-in at the portal serves every application, and one logout ends all of them.
 */
export function linkSessions(provider: Provider, parts: LinkParts): void {
  const { Session } = provider;
  const load = Session.get.bind(Session);
  Session.get = async (ctx) => {
    const given = await load(ctx);
    const secret = parts.sessionSecret(ctx.req);
    const own = secret === undefined ? null : await liveSession(parts, 'hash', hashSecret(secret));
    const broker = own ?? (given.accountId === undefined ? null : await liveSession(parts, 'oidc_uid', given.uid));
    const linked =
      broker === null ? await withoutAccount(provider, given) : follow(await shadow(provider, given, broker), broker);
    if (broker !== null) loginTimes.set(ctx.oidc, readLoginTime(broker));
    if (broker !== null && broker.oidc_uid !== linked.uid) await point(parts.store.db, broker.id, linked.uid);
    if (own !== null && after(own.seen_at, seenEveryS) < parts.clock.now())
      await seeSession(parts.store.db, own.id, parts.clock.now());
    ctx.oidc.entity('Session', linked);
    return linked;
  };
}

function liveSession(
  { store, clock }: LinkParts,
  column: 'hash' | 'oidc_uid',
  value: string,
): Promise<BrokerSession | null> {
  return store.db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .select([
      'broker_sessions.id',
      'citizen_id',
      'amr',
      'nid',
      'broker_sessions.created_at',
      'authenticated_at',
      'broker_sessions.idp',
      'oidc_uid',
      'seen_at',
    ])
    .where(`broker_sessions.${column}`, '=', value)
    .where(isLive(clock.now()))
    .where('citizens.blocked_at', 'is', null)
    .orderBy('broker_sessions.created_at', 'desc')
    .executeTakeFirst()
    .then((row) => row ?? null);
}

async function withoutAccount(provider: Provider, session: OidcSession): Promise<OidcSession> {
  if (session.accountId === undefined) return session;
  await session.destroy();
  return new provider.Session();
}

/**
 * Returns the oidc-provider session that belongs to a broker session. The first time, this is a new one, whatever cookie the browser sent: an
 * attacker may have planted it and kept a copy (session fixation). If the browser's session is of the same citizen, its uid and authorizations are
 * carried over.
 */
async function shadow(provider: Provider, given: OidcSession, broker: BrokerSession): Promise<OidcSession> {
  if (given.uid === broker.oidc_uid) return given;
  const known = broker.oidc_uid === null ? undefined : await provider.Session.findByUid(broker.oidc_uid);
  if (known) return known;
  const { uid, authorizations } = given;
  const isOwn = given.accountId === broker.citizen_id;
  await given.destroy();
  return Object.assign(new provider.Session(), isOwn && { uid, authorizations });
}

function follow(session: OidcSession, broker: BrokerSession): OidcSession {
  session.loginAccount({
    accountId: broker.citizen_id,
    acr: formatAcr(broker.nid),
    amr: publicMethods(broker.amr.split(' ').filter((name) => name !== '')),
    loginTs: seconds(signedInAt(broker) ?? broker.created_at),
  });
  Object.assign(session, { touched: true }); // saves it at the end of the request, even if it is new
  return session;
}

function readLoginTime(broker: BrokerSession): LoginTime {
  return {
    beganTs: seconds(broker.created_at),
    known: signedInAt(broker) !== null,
    skewS: broker.idp === null ? 0 : providerSkewS,
  };
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

async function point(db: Kysely<Database>, id: string, uid: string): Promise<void> {
  await db.updateTable('broker_sessions').set({ oidc_uid: uid }).where('id', '=', id).execute();
}
