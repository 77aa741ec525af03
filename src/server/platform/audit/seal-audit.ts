import { sql, type Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { Store } from '../database/open-store.ts';
import { signText, type AuditKey } from '../keys/audit-keys.ts';
import { treeRoot, leafHash } from './merkle.ts';
import { createHash } from 'node:crypto';
import type { Database } from '../database/schema.ts';

export type AuditRow = Selectable<Database['audit']>;

/** What is signed of a batch of rows; each carries the hash of the one before, so that none can be missing between two. */
export type Seal = Selectable<Database['audit_seals']>;

/** Hash before the first seal. */
export const origin = '0'.repeat(64);

/** What of a row its hash covers: anything else of it may be of whoever wrote the file. */
export function provenFields({
  seq,
  at,
  action,
  citizen_id,
  address,
  request_id,
  details,
  actor,
  user_agent,
}: AuditRow): Pick<
  AuditRow,
  'seq' | 'at' | 'action' | 'citizen_id' | 'address' | 'request_id' | 'details' | 'actor' | 'user_agent'
> {
  return { seq, at, action, citizen_id, address, request_id, details, actor, user_agent };
}

export function rowHash(row: AuditRow): string {
  return leafHash(JSON.stringify(Object.values(provenFields(row))));
}

/** Hash of a seal, which is what its signature is of. */
export function sealHash({ number, sealed_at, rows, root, previous, key }: Omit<Seal, 'hash' | 'signature'>): string {
  return createHash('sha256')
    .update(JSON.stringify([number, sealed_at.toISOString(), rows, root, previous, key]))
    .digest('hex');
}

const batch = 1_000;

/**
 * Seals the rows that commands have left, in batches; answers how many. Whoever comes meanwhile waits for the rows of the first, and takes
 * others: a row is sealed once, and seals are numbered without a gap. The seals of one run have one time, so that a row that waited long, under
 * the second of them, is not taken for one that came late. `renew` is called between two batches, and ends the run by throwing.
 */
export async function sealAudit(
  store: Store,
  key: AuditKey,
  clock: Clock,
  renew?: () => Promise<void>,
): Promise<number> {
  const at = clock.now();
  let sealed = 0;
  for (;;) {
    const rows = await sealBatch(store, key, at);
    sealed += rows;
    if (rows < batch) return sealed;
    await renew?.();
  }
}

/** Not serializable: it reads rows that nobody changes, and commands need not be weighed against it. */
function sealBatch(store: Store, key: AuditKey, at: Date): Promise<number> {
  return store.db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      const rows = await tx
        .selectFrom('audit')
        .selectAll()
        .where('seal', 'is', null)
        .orderBy('seq')
        .limit(batch)
        .forUpdate()
        .execute();
      if (rows.length === 0) return 0;
      const last = await lastSeal(tx); // after the rows: one who held them has written its seal
      const leaves = rows.map((row) => ({ seq: row.seq, leaf: rowHash(row) }));
      const unsigned = {
        number: (last?.number ?? 0) + 1,
        sealed_at: at,
        rows: rows.length,
        root: treeRoot(leaves.map(({ leaf }) => leaf)),
        previous: last?.hash ?? origin,
        key: key.kid,
      };
      const hash = sealHash(unsigned);
      await tx
        .insertInto('audit_seals')
        .values({ ...unsigned, hash, signature: signText(hash, key) })
        .execute();
      await sql`
      update audit set seal = ${unsigned.number}, leaf = sealed.leaf
      from json_to_recordset(${JSON.stringify(leaves)}::json) as sealed(seq bigint, leaf text)
      where audit.seq = sealed.seq`.execute(tx);
      return rows.length;
    });
}

/** The last seal; whoever has kept its number and hash can tell later that nothing before it was changed or cut off. */
export async function lastSeal(db: Pick<Store['db'], 'selectFrom'>): Promise<Seal | null> {
  return (await db.selectFrom('audit_seals').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null;
}
