import {
  expressionBuilder,
  sql,
  type Expression,
  type InferResult,
  type Selectable,
  type Kysely,
  type RawBuilder,
  type SqlBool,
} from 'kysely';
import { isForeignIdentityProvider } from '../../../contract/operation-access.ts';
import type { Role } from '../../../contract/contract.ts';
import { lacksRequiredFactor, isRestrictedCitizen } from '../identity/assurance-levels.ts';
import { buildActiveSecondFactorCondition } from '../credentials/second-factors.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import type { ClientDevice } from '../../platform/base/client-device.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import { createPreparedQuery } from '../../platform/database/prepared-query.ts';
import type { Database } from '../../platform/database/schema.ts';

export const minActivityWriteIntervalS = 60;

export interface BrokerSession {
  readonly id: string;
  /** Fingerprint of the cookie's secret, which bearer tokens contain. */
  readonly generation: string;
  /**
   * Id of the bearer token of the request that replaced the session's secret. This token stays valid. `null` if no bearer request has replaced it.
   */
  readonly renewedBy: string | null;
  readonly citizenId: string;
  readonly document: string;
  readonly nid: number;
  readonly role: Exclude<Role, 'anonymous'>;
  readonly idp: string | null;
  readonly country: string;
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly restricted: boolean;
  readonly factorDue: boolean;
  readonly phishingResistant: boolean;
  readonly agentHasPasskey: boolean;
  readonly device: ClientDevice;
  readonly seenAt: Date;
  readonly expiresAt: Date;
}

export function buildLiveSessionCondition(now: Date | RawBuilder<Date>): Expression<SqlBool> {
  const session = expressionBuilder<Database, 'broker_sessions'>();
  return session.and([
    session('broker_sessions.revoked_at', 'is', null),
    session('broker_sessions.expires_at', '>', now),
    session('broker_sessions.idle_at', '>', now),
  ]);
}

export type BrokerSessionRow = Selectable<Database['broker_sessions']>;

export function selectLiveSessions(db: Kysely<Database>, now: Date) {
  return db
    .selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .selectAll('broker_sessions')
    .where(buildLiveSessionCondition(now))
    .where('citizens.blocked_at', 'is', null);
}

export const identityProviderSkewS = 60;

/**
 * Returns the time of the sign-in: at the identity provider, otherwise the start of the session. Returns `null` if the provider does not report the
 * time.
 */
export function findSignInTime(
  session: Pick<BrokerSessionRow, 'idp' | 'created_at' | 'authenticated_at'>,
): Date | null {
  return session.idp === null ? session.created_at : session.authenticated_at;
}

export async function countLiveSessions(db: Kysely<Database>, citizenId: string, now: Date): Promise<number> {
  const { count } = await db
    .selectFrom('broker_sessions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('citizen_id', '=', citizenId)
    .where(buildLiveSessionCondition(now))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Finds the live session of a cookie. Returns `null` if the cookie is missing or unknown, the session has ended, or the citizen is blocked. */
export async function findLiveSessionOfCookie(db: Kysely<Database>, secret: string | undefined, now: Date) {
  return secret === undefined ? null : readSession(selectLiveByHash, db, { key: hashSecret(secret), now });
}

export async function findAnySessionOfCookie(db: Kysely<Database>, secret: string | undefined) {
  return secret === undefined ? null : readSession(selectAnyByHash, db, { key: hashSecret(secret) });
}

export function findLiveSession(db: Kysely<Database>, id: string, now: Date): Promise<BrokerSession | null> {
  return readSession(selectLiveById, db, { key: id, now });
}

export async function recordSessionActivity(db: Kysely<Database>, id: string, now: Date): Promise<void> {
  await db
    .updateTable('broker_sessions')
    .set({ seen_at: now, idle_at: sql<Date>`idle_at + (${now}::timestamptz - seen_at)` })
    .where('id', '=', id)
    .execute();
}

export function getSessionEndReason(
  session: Pick<BrokerSessionRow, 'revoked_at' | 'expires_at' | 'idle_at'>,
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
      buildActiveSecondFactorCondition().as('has_factor'),
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

function createSessionQuery(column: 'id' | 'hash') {
  return createPreparedQuery<{ key: string; now: Date }, SessionRow>((db, value) =>
    selectSessions(db)
      .where(`broker_sessions.${column}`, '=', value('key'))
      .where(buildLiveSessionCondition(value('now'))),
  );
}

const selectLiveById = createSessionQuery('id');
const selectLiveByHash = createSessionQuery('hash');
const selectAnyByHash = createPreparedQuery<{ key: string }, SessionRow>((db, value) =>
  selectSessions(db).where('broker_sessions.hash', '=', value('key')),
);

async function readSession<Values>(
  query: (db: Kysely<Database>, values: Values) => Promise<readonly SessionRow[]>,
  db: Kysely<Database>,
  values: Values,
): Promise<BrokerSession | null> {
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
    factorDue: lacksRequiredFactor({ ...row, idp }, Boolean(row.has_factor)),
    seenAt,
    expiresAt,
    role: isForeignIdentityProvider(idp) ? 'foreign' : row.role,
  };
}
