import { sql, type Kysely } from 'kysely';
import { addSeconds } from '../base/clock.ts';
import { leaseDurationS } from '../base/fixed-periods.ts';
import type { Database } from '../database/schema.ts';
import { isValidAuditSignature, type AuditKey, type AuditPublicKey } from '../keys/audit-keys.ts';
import { computeMerkleRootFromPath, computeMerkleRoot } from './merkle-tree.ts';
import {
  readSealedAuditBatches,
  type AuditInclusionProof,
  type SealedAuditRow,
  type SealedAuditBatch,
} from './read-audit.ts';
import { hasValidAuditRowDigest } from './audit-writer.ts';
import { genesisSealHash, hashAuditRow, hashAuditSeal, type AuditRow, type AuditSeal } from './seal-audit.ts';

type AuditChainFault =
  /** Rows are missing that later rows of the same writer list, because somebody deleted them. */
  | { readonly kind: 'missing'; readonly writer: string; readonly first: number; readonly last: number }
  /** Two rows of the same writer have the same number, so one of them is a copy. */
  | { readonly kind: 'copied'; readonly row: number }
  /** Rows stayed unsealed while their writer worked, because somebody delayed the sealing. `seal` is `null` while they are unsealed. */
  | { readonly kind: 'waited'; readonly seal: number | null; readonly rows: number };

/** Longest time for which rows may stay unsealed, in seconds. If a replica dies while it has the lease, sealing waits for the end of the lease. */
const maxUnsealedS = leaseDurationS + 60;

/**
 * Period before a seal, in seconds. Rows written in this period are no evidence of delayed sealing, because a suspended and resumed process may write
 * them before it seals its earlier rows.
 */
const resumeGraceS = 60;

async function isCopiedRow(db: Kysely<Database>, row: number): Promise<boolean> {
  const { rows } = await sql`
    select from audit own join audit other on other.writer = own.writer and other.number = own.number and other.seq < own.seq
    where own.seq = ${row}`.execute(db);
  return rows.length > 0;
}

export async function findAuditChainFaults(db: Kysely<Database>): Promise<readonly AuditChainFault[]> {
  const missing = await sql<{ writer: string; first: number; last: number }>`
    with named as (select writer, range_agg(part) as numbers from audit, unnest(follows) as part group by writer),
      present as (select writer, range_agg(int8range(number, number, '[]')) as numbers from audit where number is not null group by writer)
    select writer, lower(gap) as first, upper(gap) - 1 as last
    from named join present using (writer), unnest(named.numbers - present.numbers) as gap order by writer, first`.execute(
    db,
  );
  const copied = await sql<{ row: number }>`
    select max(seq) as row from audit where number is not null group by writer, number having count(*) > 1 order by row`.execute(
    db,
  );
  const waited = await sql<{ seal: number | null; rows: number }>`
    with waiting as (
      select seal, writer, min(at) as since, count(*)::int as rows, coalesce(sealed_at, (select max(at) from audit)) as until
      from audit left join audit_seals on audit_seals.number = audit.seal
      where writer is not null and coalesce(sealed_at, (select max(at) from audit)) > at + ${maxUnsealedS + resumeGraceS} * interval '1 second'
      group by seal, writer, sealed_at)
    select seal, sum(rows)::int as rows from waiting
    where exists (select from audit later where later.writer = waiting.writer
      and later.at between since + ${maxUnsealedS} * interval '1 second' and until - ${resumeGraceS} * interval '1 second')
    group by seal order by seal`.execute(db);
  return [
    ...missing.rows.map((row) => ({ kind: 'missing', ...row }) as const),
    ...copied.rows.map((row) => ({ kind: 'copied', ...row }) as const),
    ...waited.rows.map((row) => ({ kind: 'waited', ...row }) as const),
  ];
}

export type AuditFault =
  | AuditChainFault
  /** A row differs from the row that the server wrote, even if its seal is valid. */
  | { readonly kind: 'digest'; readonly row: number }
  | { readonly kind: 'changed'; readonly row: number }
  /** Rows of a batch were deleted, or rows were added to it. */
  | { readonly kind: 'rows'; readonly seal: number }
  /** A seal was changed or is missing. */
  | { readonly kind: 'seal'; readonly seal: number }
  | { readonly kind: 'signature'; readonly seal: number }
  /** A row was inserted long after its time: an earlier sealing run had already covered that time. */
  | { readonly kind: 'late'; readonly row: number }
  /** The sealing lease ends later than a server would set it, because somebody edited it to delay sealing. */
  | { readonly kind: 'lease'; readonly until: Date }
  | { readonly kind: 'stray'; readonly row: number }
  /** The log lacks a seal whose number an operator recorded: it was truncated. */
  | { readonly kind: 'end'; readonly seal: number };

export interface AuditCheckpoint {
  readonly number: number;
  readonly hash: string;
}

/** Public keys by `kid`. */
export type TrustedAuditKeys = ReadonlyMap<string, AuditPublicKey>;

/** Maximum age of a row relative to the previous sealing run, in seconds. Allows for clock differences between servers and for long transactions. */
const sealDelayToleranceS = 600;

/** Verifies the audit log in the database, including the unsealed rows. Reads one snapshot, so concurrent sealing has no effect. */
export async function verifyAuditLog(
  db: Kysely<Database>,
  { keys, earlier }: { keys: readonly AuditKey[]; earlier?: AuditCheckpoint | undefined },
): Promise<readonly AuditFault[]> {
  const trust = new Map(keys.map(({ kid, publicJwk }) => [kid, publicJwk]));
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { faults, last } = await verifySealedBatches(readSealedAuditBatches(tx), { trust, keys, earlier });
      return [
        ...faults,
        ...(await findUnsealedFaults(tx, { last, keys })),
        ...(await findAuditChainFaults(tx)),
        ...(await findLeaseFaults(tx)),
      ];
    });
}

/** Verifies sealed batches in order. Verifies digests only if `keys` is present. */
export async function verifySealedBatches(
  batches: AsyncIterable<SealedAuditBatch>,
  {
    trust,
    keys,
    earlier,
  }: { trust: TrustedAuditKeys; keys?: readonly AuditKey[] | undefined; earlier?: AuditCheckpoint | undefined },
): Promise<{ readonly faults: readonly AuditFault[]; readonly last: AuditSeal | null }> {
  const faults: AuditFault[] = [];
  let last: AuditSeal | null = null;
  /** Time of the previous sealing run, which should have sealed every older row. */
  let sealedBefore: Date | null = null;
  for await (const batch of batches) {
    if (last !== null && last.sealed_at < batch.seal.sealed_at) sealedBefore = last.sealed_at;
    faults.push(...findBatchFaults(batch, last, trust), ...findLateRows(batch.rows, sealedBefore));
    if (keys !== undefined) {
      const unchanged = batch.rows.filter((row) => hashAuditRow(row) === row.leaf);
      faults.push(...findDigestFaults(unchanged, keys));
    }
    if (batch.seal.number === earlier?.number && batch.seal.hash !== earlier.hash)
      faults.push({ kind: 'end', seal: earlier.number });
    last = batch.seal;
  }
  if (earlier !== undefined && (last?.number ?? 0) < earlier.number) faults.push({ kind: 'end', seal: earlier.number });
  return { faults, last };
}

export async function findAuditRowFaults(
  db: Kysely<Database>,
  { row, previousSeal, previousRunAt, ...batch }: SealedAuditRow,
  keys: readonly AuditKey[],
): Promise<readonly AuditFault[]> {
  const trust = new Map(keys.map(({ kid, publicJwk }) => [kid, publicJwk]));
  return [
    ...findBatchFaults(batch, previousSeal, trust).filter((fault) => fault.kind !== 'changed' || fault.row === row.seq),
    ...findLateRows([row], previousRunAt),
    ...(hashAuditRow(row) === row.leaf ? findDigestFaults([row], keys) : []),
    ...((await isCopiedRow(db, row.seq)) ? [{ kind: 'copied', row: row.seq } as const] : []),
  ];
}

export function isValidAuditInclusionProof({ row, index, path, seal }: AuditInclusionProof, trust: TrustedAuditKeys) {
  return (
    computeMerkleRootFromPath(hashAuditRow(row), { index, size: seal.rows, path }) === seal.root &&
    hashAuditSeal(seal) === seal.hash &&
    isSigned(seal, trust)
  );
}

function findBatchFaults({ seal, rows }: SealedAuditBatch, before: AuditSeal | null, trust: TrustedAuditKeys) {
  const { number } = seal;
  const faults: AuditFault[] = [];
  for (let missing = (before?.number ?? 0) + 1; missing < number; missing += 1)
    faults.push({ kind: 'seal', seal: missing });
  const follows = before?.number === number - 1 || number === 1;
  if (hashAuditSeal(seal) !== seal.hash || (follows && seal.previous !== (before?.hash ?? genesisSealHash)))
    faults.push({ kind: 'seal', seal: number });
  if (!isSigned(seal, trust)) faults.push({ kind: 'signature', seal: number });
  const changed = rows.filter((row) => hashAuditRow(row) !== row.leaf);
  faults.push(...changed.map(({ seq }) => ({ kind: 'changed', row: seq }) as const));
  const leaves = rows.map(({ leaf }) => leaf ?? '');
  if (rows.length === 0 || rows.length !== seal.rows || computeMerkleRoot(leaves) !== seal.root)
    faults.push({ kind: 'rows', seal: number });
  return faults;
}

function findDigestFaults(rows: readonly AuditRow[], keys: readonly AuditKey[]): readonly AuditFault[] {
  return rows
    .filter((row) => !hasValidAuditRowDigest(row, keys))
    .map(({ seq }) => ({ kind: 'digest', row: seq }) as const);
}

/** Finds rows that the sealing run at `sealedBefore` should have sealed. */
function findLateRows(rows: readonly Pick<AuditRow, 'seq' | 'at'>[], sealedBefore: Date | null): readonly AuditFault[] {
  if (sealedBefore === null) return [];
  const earliest = addSeconds(sealedBefore, -sealDelayToleranceS);
  return rows.filter(({ at }) => at < earliest).map(({ seq }) => ({ kind: 'late', row: seq }));
}

function isSigned({ key, hash, signature }: AuditSeal, trust: TrustedAuditKeys): boolean {
  const publicJwk = trust.get(key);
  return publicJwk !== undefined && isValidAuditSignature(signature, hash, publicJwk);
}

/** Finds a lease of the sealing job that ends later than any server would set it: somebody edited it to delay sealing. */
async function findLeaseFaults(db: Kysely<Database>): Promise<readonly AuditFault[]> {
  const moved = await db
    .selectFrom('leases')
    .select('until')
    .where('name', '=', 'seal')
    .where('until', '>', sql<Date>`clock_timestamp() + ${leaseDurationS + 60} * interval '1 second'`)
    .executeTakeFirst();
  return moved === undefined ? [] : [{ kind: 'lease', until: moved.until }];
}

async function findUnsealedFaults(
  db: Kysely<Database>,
  { last, keys }: { readonly last: AuditSeal | null; readonly keys: readonly AuditKey[] },
): Promise<readonly AuditFault[]> {
  const stray = await db
    .selectFrom('audit')
    .select('seq')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('audit_seals').select('number').whereRef('number', '=', 'audit.seal'))),
    )
    .where('seal', 'is not', null)
    .orderBy('seq')
    .execute();
  const unsealed = await db.selectFrom('audit').selectAll().where('seal', 'is', null).orderBy('seq').execute();
  return [
    ...stray.map(({ seq }) => ({ kind: 'stray', row: seq }) as const),
    ...findLateRows(unsealed, last?.sealed_at ?? null),
    ...findDigestFaults(unsealed, keys),
  ];
}

export async function countUnsealedAuditRows(
  db: Kysely<Database>,
): Promise<{ readonly rows: number; readonly since: Date | null }> {
  const found = await db
    .selectFrom('audit')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.min('at').as('since')])
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow();
  return { rows: Number(found.rows), since: found.since };
}
