import { randomUUID } from 'node:crypto';
import {
  expressionBuilder,
  sql,
  type Expression,
  type InferResult,
  type Insertable,
  type Selectable,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import { isForeignProvider } from '../../../contract/access.ts';
import type { Role } from '../../../contract/contract.ts';
import { isPhishingResistant } from '../identity/agent-mailboxes.ts';
import { isFactorDue, isRestrictedCitizen } from '../identity/levels.ts';
import { buildActiveFactorCondition } from '../credentials/second-factors.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { formatDocumentId } from '../../platform/base/document.ts';
import type { Device } from '../../platform/base/device.ts';
import { hashSecret, randomSecret } from '../../platform/keys/secrets.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { createPreparedQuery } from '../../platform/database/prepared.ts';
import type { Database } from '../../platform/database/schema.ts';
import { queueLogoutNotifications } from './session-ends.ts';

/** Minimum time between two updates of `seen_at`, in seconds. */
export const minSeenIntervalS = 60;

/** A live broker session. Access tokens, OIDC sessions and SAML participants refer to it. */
export interface Session {
  readonly id: string;
  /** Fingerprint of the cookie's secret. Bearer tokens contain it. */
  readonly generation: string;
  /** Id of the bearer token that made the latest proof of identity, and outlives the secret of its time. */
  readonly renewedBy: string | null;
  readonly citizenId: string;
  readonly document: string;
  readonly nid: number;
  readonly role: Exclude<Role, 'anonymous'>;
  /** Identity provider of the sign-in. `null` for an account of the portal. */
  readonly idp: string | null;
  readonly country: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly restricted: boolean;
  readonly factorDue: boolean;
  readonly phishingResistant: boolean;
  readonly agentHasPasskey: boolean;
  /** Of the sign-in. */
  readonly device: Device;
  readonly seenAt: Date;
  /** When the session ends even if it is active. */
  readonly expiresAt: Date;
}

export interface NewSession {
  readonly citizenId: string;
  readonly amr: readonly string[];
  readonly nid: number;
  readonly role: 'citizen' | 'agent';
  readonly idp?: string;
  /** When the citizen signed in at the provider. `null` if unknown. */
  readonly authenticatedAt?: Date | null;
  readonly device: Device;
  readonly now: Date;
  readonly lifeS: number;
  readonly idleS: number;
  /** Maximum number of live sessions of the citizen, including this one. Older ones end. Unlimited if absent. */
  readonly maxSessions?: number;
  /** The pending sign-in that the session completes. It is marked as used. The transaction has already checked that it is unused. */
  readonly challenge?: { readonly hash: string; readonly step: string };
  /** Hash by which the browser is recognized at the citizen's next sign-in. */
  readonly browser?: string;
}

/** Starts a session. Returns its id, the secret for its cookie, and the ids of the sessions that it ended. Only the hash of the secret is stored. */
export async function startSession(
  tx: Tx,
  {
    citizenId,
    amr,
    nid,
    role,
    idp,
    authenticatedAt,
    device,
    now,
    lifeS,
    idleS,
    maxSessions,
    challenge,
    browser,
  }: NewSession,
): Promise<{ id: string; secret: string; ended: readonly string[] }> {
  const id = randomUUID();
  const secret = randomSecret();
  const [added] = await insertSession(tx, {
    id,
    hash: hashSecret(secret),
    citizen_id: citizenId,
    amr: amr.join(' '),
    nid,
    role,
    phishing_resistant: isPhishingResistant(amr),
    idp: idp ?? null,
    authenticated_at: authenticatedAt ?? null,
    created_at: now,
    expires_at: addSeconds(now, lifeS),
    seen_at: now,
    idle_at: addSeconds(now, idleS),
    user_agent: device.userAgent,
    address: device.address,
    challenge: challenge?.hash ?? null,
    step: challenge?.step ?? null,
    browser: browser ?? null,
    spared: maxSessions === undefined ? null : maxSessions - 1,
  });
  const ended = added?.surplus ?? [];
  await queueLogoutNotifications(tx, ended, now);
  return { id, secret, ended };
}

type SessionStart = Omit<Insertable<Database['broker_sessions']>, 'oidc_uid' | 'revoked_at' | 'verified_at'> & {
  readonly challenge: string | null;
  readonly step: string | null;
  readonly browser: string | null;
  /** Number of the citizen's newest sessions that must not end. `null` for all. */
  readonly spared: number | null;
};

/** A single statement, because the citizen waits for each round trip. */
const insertSession = createPreparedQuery<SessionStart, { readonly surplus: readonly string[] }>((db, value) =>
  db
    .with('used', (query) =>
      query
        .updateTable('challenges')
        .set({ used_at: value('created_at') })
        .where('hash', '=', value('challenge'))
        .where('step', '=', value('step'))
        .where('used_at', 'is', null),
    )
    .with('seen', (query) =>
      query
        .insertInto('known_devices')
        .columns(['citizen_id', 'hash', 'seen_at'])
        .expression(
          sql`select ${value('citizen_id')}::text, ${value('browser')}::text, ${value('created_at')}::timestamptz where ${value('browser')}::text is not null`,
        )
        .onConflict((known) => known.columns(['citizen_id', 'hash']).doUpdateSet({ seen_at: value('created_at') })),
    )
    .with('surplus', (query) =>
      query
        .updateTable('broker_sessions')
        .set({ revoked_at: value('created_at') })
        .where('id', 'in', (own) =>
          own
            .selectFrom('broker_sessions')
            .select('broker_sessions.id')
            .where('broker_sessions.citizen_id', '=', value('citizen_id'))
            .where(sql<boolean>`${value('spared')}::int is not null`)
            .where(buildLiveCondition(sql<Date>`${value('created_at')}::timestamptz`))
            .orderBy('broker_sessions.created_at', 'desc')
            .orderBy('broker_sessions.id')
            .offset(sql<number>`${value('spared')}::int`),
        )
        .returning('id'),
    )
    .with('signed_in', (query) =>
      query
        .updateTable('citizens')
        .set({ last_login_at: value('created_at') })
        .where('id', '=', value('citizen_id')),
    )
    .insertInto('broker_sessions')
    .values({
      id: value('id'),
      hash: value('hash'),
      citizen_id: value('citizen_id'),
      amr: value('amr'),
      nid: value('nid'),
      role: value('role'),
      phishing_resistant: value('phishing_resistant'),
      idp: value('idp'),
      authenticated_at: value('authenticated_at'),
      created_at: value('created_at'),
      expires_at: value('expires_at'),
      seen_at: value('seen_at'),
      idle_at: value('idle_at'),
      user_agent: value('user_agent'),
      address: value('address'),
    })
    .returning(sql<readonly string[]>`array(select id from surplus)`.as('surplus')),
);

/** SQL condition for a live session: not revoked, not expired, and within the idle timeout. */
export function buildLiveCondition(now: Date | RawBuilder<Date>): Expression<SqlBool> {
  const session = expressionBuilder<Database, 'broker_sessions'>();
  return session.and([
    session('broker_sessions.revoked_at', 'is', null),
    session('broker_sessions.expires_at', '>', now),
    session('broker_sessions.idle_at', '>', now),
  ]);
}

export type LiveSession = Selectable<Database['broker_sessions']>;

/** Selects the live sessions of citizens who are not blocked. */
export function selectLiveSessions(db: Kysely<Database>, now: Date) {
  return db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .selectAll('broker_sessions')
    .where(buildLiveCondition(now))
    .where('citizens.blocked_at', 'is', null);
}

export const providerSkewS = 60;

/**
 * Returns when the citizen last authenticated: at the start of the session, or at the identity provider. Returns `null` if the provider does not
 * report the time.
 */
export function findSignInTime(session: Pick<LiveSession, 'idp' | 'created_at' | 'authenticated_at'>): Date | null {
  return session.idp === null ? session.created_at : session.authenticated_at;
}

export async function countSessions(db: Kysely<Database>, citizenId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('broker_sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('citizen_id', '=', citizenId)
    .where(buildLiveCondition(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Finds the live session of a cookie. Returns `null` if the cookie is missing or unknown, the session has ended, or the citizen is blocked. */
export async function findLiveSessionOfCookie(
  db: Kysely<Database>,
  secret: string | undefined,
  now: Date,
): Promise<Session | null> {
  return secret === undefined ? null : readSession(selectLiveByHash, db, { key: hashSecret(secret), now });
}

/** Finds the session of a cookie, even if the session has ended. Returns `null` if the cookie is unknown or the citizen is blocked. */
export async function findAnySessionOfCookie(
  db: Kysely<Database>,
  secret: string | undefined,
): Promise<Session | null> {
  return secret === undefined ? null : readSession(selectAnyByHash, db, { key: hashSecret(secret) });
}

/** Finds a live session by its id. Returns `null` if there is none, or the citizen is blocked. */
export function findLiveSession(db: Kysely<Database>, id: string, now: Date): Promise<Session | null> {
  return readSession(selectLiveById, db, { key: id, now });
}

/** Records activity in a session. This restarts the idle timeout. */
export async function recordActivity(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('broker_sessions')
    .set({ seen_at: now, idle_at: sql<Date>`idle_at + (${now}::timestamptz - seen_at)` })
    .where('id', '=', id)
    .execute();
}

export function findSessionEnd(
  session: Pick<LiveSession, 'revoked_at' | 'expires_at' | 'idle_at'>,
  now: Date,
): 'revoked' | 'expired' | 'idle' | undefined {
  if (session.revoked_at !== null) return 'revoked';
  if (session.expires_at <= now) return 'expired';
  return session.idle_at <= now ? 'idle' : undefined;
}

function selectSessions(db: Kysely<Database>) {
  return db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .select([
      'broker_sessions.id',
      'broker_sessions.hash',
      'broker_sessions.renewed_by',
      'broker_sessions.citizen_id',
      'broker_sessions.nid',
      'broker_sessions.role',
      'broker_sessions.phishing_resistant',
      'broker_sessions.idp',
      'broker_sessions.user_agent',
      'broker_sessions.address',
      'broker_sessions.seen_at',
      'broker_sessions.expires_at',
      'citizens.country',
      'citizens.type',
      'citizens.number',
      'citizens.permissions',
      'citizens.features',
      'citizens.proofing_due',
      'citizens.level',
      buildActiveFactorCondition().as('has_factor'),
    ])
    .select(({ and, eb, exists, selectFrom }) =>
      and([
        eb('broker_sessions.role', '=', 'agent'),
        exists(
          selectFrom('passkeys')
            .select('passkeys.id')
            .whereRef('passkeys.citizen_id', '=', 'broker_sessions.citizen_id'),
        ),
      ])
        .$castTo<boolean>()
        .as('agent_has_passkey'),
    )
    .where('citizens.blocked_at', 'is', null);
}

type SessionRow = InferResult<ReturnType<typeof selectSessions>>[number];

const selectLiveById = createPreparedQuery<{ key: string; now: Date }, SessionRow>((db, value) =>
  selectSessions(db)
    .where('broker_sessions.id', '=', value('key'))
    .where(buildLiveCondition(value('now'))),
);
const selectLiveByHash = createPreparedQuery<{ key: string; now: Date }, SessionRow>((db, value) =>
  selectSessions(db)
    .where('broker_sessions.hash', '=', value('key'))
    .where(buildLiveCondition(value('now'))),
);
const selectAnyByHash = createPreparedQuery<{ key: string }, SessionRow>((db, value) =>
  selectSessions(db).where('broker_sessions.hash', '=', value('key')),
);

async function readSession<Values>(
  query: (db: Kysely<Database>, values: Values) => Promise<readonly SessionRow[]>,
  db: Kysely<Database>,
  values: Values,
): Promise<Session | null> {
  const [row] = await query(db, values);
  if (!row) return null;
  const { id, hash, citizen_id: citizenId, nid, idp, permissions, seen_at: seenAt, expires_at: expiresAt } = row;
  return {
    id,
    generation: hashSecret(hash).slice(0, 16),
    renewedBy: row.renewed_by,
    citizenId,
    document: formatDocumentId(row),
    nid,
    idp,
    country: row.country,
    permissions,
    restricted: isRestrictedCitizen(row),
    phishingResistant: row.phishing_resistant,
    agentHasPasskey: row.agent_has_passkey,
    device: { userAgent: row.user_agent, address: row.address },
    factorDue: isFactorDue({ ...row, idp }, Boolean(row.has_factor)),
    seenAt,
    expiresAt,
    role: isForeignProvider(idp) ? 'foreign' : row.role,
  };
}
