import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { after } from '../clock.ts';
import { hashSecret, randomSecret } from '../keys/secrets.ts';
import type { Tx } from '../store/open-store.ts';
import type { Database } from '../store/schema.ts';

/** A live broker session: the one record of who is signed in, to which tokens, clients and providers point. */
export interface Session {
  readonly id: string;
  readonly citizenId: string;
  readonly nid: number;
  readonly role: 'citizen' | 'agent';
  readonly permissions: Readonly<Record<string, readonly string[]>>;
  readonly seenAt: Date;
}

/** What a new session records. */
export interface NewSession {
  readonly citizenId: string;
  /** Names of the answered challenges. */
  readonly amr: readonly string[];
  readonly nid: number;
  readonly role: 'citizen' | 'agent';
  readonly now: Date;
  readonly lifeS: number;
}

/** Starts a session; answers the secret of its cookie, which is stored as a hash only. */
export async function startSession(tx: Tx, { citizenId, amr, nid, role, now, lifeS }: NewSession): Promise<string> {
  const secret = randomSecret();
  await tx.insertInto('broker_sessions').values({
    id: randomUUID(), hash: hashSecret(secret), citizen_id: citizenId, amr: amr.join(' '), nid, role,
    created_at: now, expires_at: after(now, lifeS), seen_at: now, revoked_at: null,
  }).execute();
  return secret;
}

/** The live session of a cookie; null when it is unknown, expired, revoked, or its citizen is blocked. */
export function sessionOfCookie(db: Kysely<Database>, secret: string, now: Date): Promise<Session | null> {
  return live(db, now, 'hash', hashSecret(secret));
}

/** The live session with that id; null as above. */
export function sessionById(db: Kysely<Database>, id: string, now: Date): Promise<Session | null> {
  return live(db, now, 'id', id);
}

/** Ends one session by its cookie; answers whose it was. */
export async function revokeSession(tx: Tx, secret: string, now: Date): Promise<string | null> {
  const ended = await tx.updateTable('broker_sessions').set({ revoked_at: now })
    .where('hash', '=', hashSecret(secret)).where('revoked_at', 'is', null)
    .returning('citizen_id').executeTakeFirst();
  return ended?.citizen_id ?? null;
}

/** Ends every session of a citizen but the one to keep: the one verb behind password change, block and revocation. */
export async function revokeSessions(tx: Tx, citizenId: string, now: Date, keep: string | null = null): Promise<void> {
  await tx.updateTable('broker_sessions').set({ revoked_at: now })
    .where('citizen_id', '=', citizenId).where('revoked_at', 'is', null)
    .$if(keep !== null, (query) => query.where('id', '!=', keep ?? ''))
    .execute();
}

async function live(db: Kysely<Database>, now: Date, column: 'id' | 'hash', value: string): Promise<Session | null> {
  const row = await db.selectFrom('broker_sessions')
    .innerJoin('citizens', 'citizens.id', 'broker_sessions.citizen_id')
    .select(['broker_sessions.id', 'broker_sessions.citizen_id', 'broker_sessions.nid', 'broker_sessions.role', 'broker_sessions.seen_at', 'citizens.permissions'])
    .where(`broker_sessions.${column}`, '=', value)
    .where('broker_sessions.revoked_at', 'is', null).where('broker_sessions.expires_at', '>', now)
    .where('citizens.blocked_at', 'is', null)
    .executeTakeFirst();
  return row ? { id: row.id, citizenId: row.citizen_id, nid: row.nid, role: row.role, permissions: row.permissions, seenAt: row.seen_at } : null;
}
