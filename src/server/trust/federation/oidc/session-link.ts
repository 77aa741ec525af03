import type { IncomingMessage } from 'node:http';
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Kysely } from 'kysely';
import { after, type Clock } from '../../../platform/base/clock.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import type { Database } from '../../../platform/database/schema.ts';
import { hashSecret } from '../../../platform/keys/secrets.ts';
import { isLive, providerSkewS, seeSession, seenEveryS, signedInAt } from '../../sessions/sessions.ts';
import { acrOf } from '../../identity/levels.ts';
import { publicMethods } from '../../identity/names.ts';

type OidcSession = InstanceType<Provider['Session']>;

/** The times behind a session of the provider, beside its `loginTs`. */
interface LoginTime {
  /** When the broker's session began, in seconds of the epoch. */
  readonly beganTs: number;
  /** False: an identity provider does not say when the citizen signed in there, which may have been at any time. */
  readonly known: boolean;
  /** How far the clock that it is by may differ from ours, in seconds. */
  readonly skewS: number;
}

/** By the provider's part of a request: it hands sessions out behind a proxy. */
const loginTimes = new WeakMap<object, LoginTime>();

/** The times behind the provider's session of a request; nobody's has begun. */
export function loginTimeOf({ oidc }: KoaContextWithOIDC): LoginTime {
  return loginTimes.get(oidc) ?? { beganTs: 0, known: false, skewS: 0 };
}

/** What links the provider's sessions to the broker's. */
export interface LinkParts {
  readonly store: Store;
  readonly clock: Clock;
  /** The secret of the broker's cookie in a request. */
  readonly sessionSecret: (request: IncomingMessage) => string | undefined;
}

/** The facts of a live broker session that the provider tells applications. */
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
 * Makes the provider's session a shadow of the broker's: whenever the provider loads one, account, level, methods and time
 * come from the broker session of the browser's cookie, or of the uid where that cookie does not travel (a POST from another
 * site); without a live one there is nobody. So a sign-in at the portal serves every application, and its end ends them.
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
    if (broker !== null) loginTimes.set(ctx.oidc, timesOf(broker));
    if (broker !== null && broker.oidc_uid !== linked.uid) await point(parts.store.db, broker.id, linked.uid);
    if (own !== null && after(own.seen_at, seenEveryS) < parts.clock.now())
      await seeSession(parts.store.db, own.id, parts.clock.now());
    ctx.oidc.entity('Session', linked);
    return linked;
  };
}

/** The broker session that stands behind a session of the provider, as far as it lives. */
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
 * The provider's session of a broker session. At its first use that is a new one, whatever the browser brought: somebody may have planted
 * that cookie and kept a copy. What the same citizen's session before knew of applications goes on in it.
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
    acr: acrOf(broker.nid),
    amr: publicMethods(broker.amr.split(' ').filter((name) => name !== '')),
    loginTs: seconds(signedInAt(broker) ?? broker.created_at),
  });
  Object.assign(session, { touched: true }); // saved at the end of the request, also when it is new
  return session;
}

function timesOf(broker: BrokerSession): LoginTime {
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
