import { sql } from 'kysely';
import type { Tx } from '../../platform/database/open-store.ts';
import { isObject } from '../../../engine/core/json.ts';

export interface UndoneCredentialChanges {
  /** E-mail address that was verified before the change. `null` if there was none. */
  readonly email: string | null;
  readonly kinds: readonly string[];
  readonly first: number;
}

/** Tables that an undo restores, the column that identifies a row among those of a citizen, and the condition for the rows. */
const restoredTables = [
  ['second_factors', 'id', sql`r.activated_at is not null`], // restores only active factors; a factor that was pending is deleted, even if it was activated later
  ['passkeys', 'id', sql`true`],
  ['recovery_codes', 'digest', sql`true`],
] as const;

export async function recordCredentialsBeforeChange(
  tx: Tx,
  { citizenId, sessionId, kind, now }: { citizenId: string; sessionId: string | null; kind: string; now: Date },
): Promise<number> {
  const rows = restoredTables.map(
    ([table, , condition]) =>
      sql`${sql.lit(table)}, (select coalesce(jsonb_agg(r), '[]') from ${sql.table(table)} r where r.citizen_id = c.id and ${condition})`,
  );
  const noted = await tx
    .insertInto('credential_changes')
    .columns(['citizen_id', 'session_id', 'kind', 'at', 'before'])
    .expression((query) =>
      query
        .selectFrom('citizens as c')
        .select([
          'c.id',
          sql<string | null>`${sessionId}::text`.as('session_id'),
          sql<string>`${kind}::text`.as('kind'),
          sql<Date>`${now}::timestamptz`.as('at'),
          sql<string>`jsonb_build_object('email', case when c.email_verified_at is null then null else c.email end, 'phone', c.phone,
        'closing', c.closing_at is not null, ${sql.join(rows)})`.as('before'),
        ])
        .where('c.id', '=', citizenId),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return noted.id;
}

export async function findSessionOfLastCredentialChange(tx: Tx, citizenId: string, kind: string) {
  const last = await tx
    .selectFrom('credential_changes')
    .select('session_id')
    .where('citizen_id', '=', citizenId)
    .where('kind', '=', kind)
    .where('undone_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return last?.session_id ?? null;
}

export async function hasUndoneCredentialChangeSince(tx: Tx, citizenId: string, since: Date): Promise<boolean> {
  const undone = await tx
    .selectFrom('credential_changes')
    .select('id')
    .where('citizen_id', '=', citizenId)
    .where('undone_at', '>=', since)
    .limit(1)
    .executeTakeFirst();
  return undone !== undefined;
}

/** Undoes every change since `change`, or since the first change of its session. Returns `null` if the change was already undone. */
export async function undoCredentialChanges(
  tx: Tx,
  { citizenId, change, now }: { citizenId: string; change: number; now: Date },
): Promise<UndoneCredentialChanges | null> {
  const own = tx.selectFrom('credential_changes').where('citizen_id', '=', citizenId).where('undone_at', 'is', null);
  const disavowed = await own.select('session_id').where('id', '=', change).executeTakeFirst();
  if (disavowed === undefined) return null;
  const first = await own
    .select(['id', 'before'])
    .where((where) =>
      where.or([
        where('id', '=', change),
        ...(disavowed.session_id === null ? [] : [where('session_id', '=', disavowed.session_id)]),
      ]),
    )
    .orderBy('id')
    .executeTakeFirstOrThrow();
  for (const [table, key] of restoredTables) {
    const into = sql.table(table);
    const before = sql`jsonb_populate_recordset(null::${into}, (select before -> ${sql.lit(table)} from credential_changes where id = ${first.id}))`;
    const isNew = sql`${sql.ref(key)} not in (select ${sql.ref(key)} from ${before})`;
    await sql`delete from ${into} where citizen_id = ${citizenId} and ${isNew}`.execute(tx);
    await sql`insert into ${into} select * from ${before} on conflict do nothing`.execute(tx); // keeps the row of a recovery code that was used since the change, so that the code stays used
  }
  // Marks restored codes as used if they were used before a later change replaced them.
  await sql`
    update recovery_codes c set used_at = ${now} from spent_recovery_codes s
    where c.citizen_id = ${citizenId} and c.used_at is null and s.citizen_id = c.citizen_id and s.digest = c.digest`.execute(
    tx,
  );
  const { email, phone, closing } = first.before;
  const citizen = tx.updateTable('citizens').where('id', '=', citizenId);
  await citizen.set({ phone, ...(!closing && { closing_at: null }) }).execute();
  if (email !== null)
    await citizen.set({ email, email_verified_at: now }).where('email', 'is distinct from', email).execute();
  const undone = await tx
    .updateTable('credential_changes')
    .set({ undone_at: now })
    .where('citizen_id', '=', citizenId)
    .where('id', '>=', first.id)
    .where('undone_at', 'is', null)
    .returning(['id', 'kind'])
    .execute();
  const kinds = undone.sort((a, b) => a.id - b.id).map(({ kind }) => kind);
  return { email, kinds: [...new Set(kinds)], first: first.id };
}

/** Target of a "No fui yo" link, stored as the subject of its token. */
export interface CredentialUndoTarget {
  readonly change: number;
  readonly email: string;
}

export function parseCredentialUndoTarget(subject: string): CredentialUndoTarget | null {
  const value: unknown = JSON.parse(subject);
  if (!isObject(value) || typeof value['email'] !== 'string' || typeof value['change'] !== 'number') return null;
  return { email: value['email'], change: value['change'] };
}
