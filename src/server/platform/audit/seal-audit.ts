import { sql, type Selectable } from 'kysely';
import type { Clock } from '../base/clock.ts';
import type { DatabaseStore } from '../database/open-store.ts';
import type { AuditKey } from '../keys/audit-keys.ts';
import { computeMerkleRoot, hashMerkleLeaf } from './merkle-tree.ts';
import { createHash } from 'node:crypto';
import type { Database } from '../database/schema.ts';

export type AuditRow = Selectable<Database['audit']>;

/** Signature over a batch of rows. Each seal contains the hash of the previous one, so that a removed seal is detected. */
export type AuditSeal = Selectable<Database['audit_seals']>;

/** Value of `previous` in the first seal, which has no previous seal. */
export const genesisSealHash = '0'.repeat(64);

export const sealedAuditColumns = [
  ...(['at', 'action', 'citizen_id', 'address', 'request_id', 'details', 'actor', 'user_agent'] as const),
  ...(['origin_salt', 'origin_hash'] as const),
] as const;

/**
 * Returns the values of a row that its leaf hash and its digest cover. A salted hash replaces network address and browser, so that both can be erased
 * later.
 */
export function listHashedAuditValues(row: Pick<AuditRow, (typeof sealedAuditColumns)[number]>): readonly unknown[] {
  return [row.at, row.action, row.citizen_id, hashOrigin(row), row.request_id, row.details, row.actor];
}

/**
 * Hashes address and browser with their salt, or returns the stored hash after their erasure. Returns an empty string, which is no valid hash, if a
 * row with a stored hash still contains address, browser or salt.
 */
function hashOrigin({
  address,
  user_agent: browser,
  origin_salt: salt,
  origin_hash: hash,
}: Pick<AuditRow, 'address' | 'user_agent' | 'origin_salt' | 'origin_hash'>): string {
  if (hash !== null) return salt === null && address === '' && browser === '' ? hash : '';
  return createHash('sha256')
    .update(JSON.stringify([salt, address, browser]))
    .digest('hex');
}

/** Returns only the columns that the seal covers, because the author of an exported file could have added others. */
export function selectSealedAuditColumns(row: AuditRow): Readonly<Record<string, unknown>> {
  return Object.fromEntries((['seq', ...sealedAuditColumns] as const).map((name) => [name, row[name]]));
}

export function hashAuditRow(row: AuditRow): string {
  return hashMerkleLeaf(JSON.stringify([row.seq, ...listHashedAuditValues(row)]));
}

export function hashAuditSeal(seal: Omit<AuditSeal, 'hash' | 'signature'>): string {
  const { number, sealed_at, rows, root, previous, key } = seal;
  return createHash('sha256')
    .update(JSON.stringify([number, sealed_at.toISOString(), rows, root, previous, key]))
    .digest('hex');
}

const maxBatchRows = 1_000;

/**
 * Seals the unsealed rows in batches, and returns their number. A concurrent run waits for the locked rows of the first batch and then seals other
 * rows, so that each row is sealed once and seals are numbered without a gap. All seals of one run have the same time: otherwise an old row in the
 * second batch would look as if it had been inserted after the first seal. Calls `renew` between two batches. If `renew` throws, the run ends.
 */
export async function sealAuditRows(store: DatabaseStore, key: AuditKey, clock: Clock, renew?: () => Promise<void>) {
  const at = clock.now();
  let sealed = 0;
  for (;;) {
    const rows = await sealBatch(store, key, at);
    sealed += rows;
    if (rows < maxBatchRows) return sealed;
    await renew?.();
  }
}

/**
 * Seals one batch. The isolation level is read committed, so that sealing causes no serialization failures in commands. It suffices, because no
 * command changes audit rows.
 */
function sealBatch(store: DatabaseStore, key: AuditKey, at: Date): Promise<number> {
  return store.db
    .transaction()
    .setIsolationLevel('read committed')
    .execute(async (tx) => {
      const rows = await tx
        .selectFrom('audit')
        .selectAll()
        .where('seal', 'is', null)
        .orderBy('seq')
        .limit(maxBatchRows)
        .forUpdate()
        .execute();
      if (rows.length === 0) return 0;
      const last = await findLastAuditSeal(tx); // read after locking the rows: a concurrent run that held the locks has then committed its seal
      const leaves = rows.map((row) => ({ seq: row.seq, leaf: hashAuditRow(row) }));
      const unsigned = {
        number: (last?.number ?? 0) + 1,
        sealed_at: at,
        rows: rows.length,
        root: computeMerkleRoot(leaves.map(({ leaf }) => leaf)),
        previous: last?.hash ?? genesisSealHash,
        key: key.kid,
      };
      const hash = hashAuditSeal(unsigned);
      await tx
        .insertInto('audit_seals')
        .values({ ...unsigned, hash, signature: key.sign(hash) })
        .execute();
      await sql`
      update audit set seal = ${unsigned.number}, leaf = sealed.leaf
      from json_to_recordset(${JSON.stringify(leaves)}::json) as sealed(seq bigint, leaf text)
      where audit.seq = sealed.seq`.execute(tx);
      return rows.length;
    });
}

/** Erases address and browser of up to 1,000 sealed rows older than `before`. The seals stay valid. Returns the number of rows. */
export async function eraseAuditClientData({ db }: Pick<DatabaseStore, 'db'>, before: Date): Promise<number> {
  const rows = await db
    .selectFrom('audit')
    .select(['seq', 'address', 'user_agent', 'origin_salt', 'origin_hash'])
    .where('origin_salt', 'is not', null)
    .where('seal', 'is not', null)
    .where('at', '<', before)
    .where('at', '<', sql<Date>`now() - interval '30 days'`) // the database trigger rejects this change to newer rows
    .orderBy('at')
    .limit(maxBatchRows)
    .execute();
  const erased = rows.map((row) => ({ seq: row.seq, hash: hashOrigin(row) }));
  if (rows.length > 0)
    await sql`
      update audit set address = '', user_agent = '', origin_salt = null, origin_hash = erased.hash
      from json_to_recordset(${JSON.stringify(erased)}::json) as erased(seq bigint, hash text)
      where audit.seq = erased.seq`.execute(db);
  return rows.length;
}

/** Returns the last seal. A copy of its number and hash proves later that no earlier seal was changed or removed. */
export async function findLastAuditSeal(db: Pick<DatabaseStore['db'], 'selectFrom'>): Promise<AuditSeal | null> {
  return (await db.selectFrom('audit_seals').selectAll().orderBy('number', 'desc').limit(1).executeTakeFirst()) ?? null;
}
