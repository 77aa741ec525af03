import { sql, type Kysely } from 'kysely';
import { after } from '../base/clock.ts';
import { leaseS } from '../base/lease-life.ts';
import type { Database } from '../database/schema.ts';
import { isSignature, type AuditKey, type AuditPublicKey } from '../keys/audit-keys.ts';
import { chainFaults, rowChainFaults, type ChainFault } from './chain-faults.ts';
import { rootBy, treeRoot } from './merkle.ts';
import { readSealed, type AuditProof, type RowBatch, type SealedBatch } from './read-audit.ts';
import { isAsWritten } from './row-digest.ts';
import { origin, rowHash, sealHash, type AuditRow, type Seal } from './seal.ts';

export type AuditFault =
  | ChainFault
  /** A row is not as its server wrote it, though it may have been sealed so since. */
  | { readonly kind: 'digest'; readonly row: number }
  /** A row is not as it was when it was sealed. */
  | { readonly kind: 'changed'; readonly row: number }
  /** Rows of a batch are missing, or others were added. */
  | { readonly kind: 'rows'; readonly seal: number }
  /** A seal was changed or is missing. */
  | { readonly kind: 'seal'; readonly seal: number }
  /** A seal was signed by nobody whom one trusts. */
  | { readonly kind: 'signature'; readonly seal: number }
  /** A row was written long after what it tells of, when the rows of its time were sealed. */
  | { readonly kind: 'late'; readonly row: number }
  /** The lease of the work that seals ends later than any holder writes it: somebody moved it, and rows may wait for their seal. */
  | { readonly kind: 'lease'; readonly until: Date }
  /** A row names a seal that there is not. */
  | { readonly kind: 'stray'; readonly row: number }
  /** The end that somebody kept is not in the log: it was cut off. */
  | { readonly kind: 'end'; readonly seal: number };

export interface AuditEnd {
  readonly number: number;
  readonly hash: string;
}

/** Whom seals are trusted from: public keys by `kid`. */
export type AuditTrust = ReadonlyMap<string, AuditPublicKey>;

/** Seconds between what a row tells of and the seal that it should have been under: clocks differ, and a command may take its time. */
const toleranceS = 600;

/** Every fault of a whole log in the database, rows that wait for their seal included. One snapshot: what is sealed meanwhile confuses nothing. */
export async function verifyAudit(
  db: Kysely<Database>,
  { keys, earlier }: { keys: readonly AuditKey[]; earlier?: AuditEnd | undefined },
): Promise<readonly AuditFault[]> {
  const trust = new Map(keys.map(({ kid, publicJwk }) => [kid, publicJwk]));
  return db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const { faults, last } = await verifySealed(readSealed(tx), { trust, keys, earlier });
      return [
        ...faults,
        ...(await looseFaults(tx, { last, keys })),
        ...(await chainFaults(tx)),
        ...(await movedLease(tx)),
      ];
    });
}

/** Every fault of sealed batches, which come in their order, with the last of their seals. Digests of rows are checked where `keys` are given. */
export async function verifySealed(
  batches: AsyncIterable<SealedBatch>,
  {
    trust,
    keys,
    earlier,
  }: { trust: AuditTrust; keys?: readonly AuditKey[] | undefined; earlier?: AuditEnd | undefined },
): Promise<{ readonly faults: readonly AuditFault[]; readonly last: Seal | null }> {
  const faults: AuditFault[] = [];
  let last: Seal | null = null;
  /** When the run before the one of the last seal sealed. */
  let sealedBefore: Date | null = null;
  for await (const batch of batches) {
    if (last !== null && last.sealed_at < batch.seal.sealed_at) sealedBefore = last.sealed_at;
    faults.push(...batchFaults(batch, last, trust), ...lateRows(batch.rows, sealedBefore));
    if (keys !== undefined)
      faults.push(
        ...digestFaults(
          batch.rows.filter((row) => rowHash(row) === row.leaf),
          keys,
        ),
      );
    if (batch.seal.number === earlier?.number && batch.seal.hash !== earlier.hash)
      faults.push({ kind: 'end', seal: earlier.number });
    last = batch.seal;
  }
  if (earlier !== undefined && (last?.number ?? 0) < earlier.number) faults.push({ kind: 'end', seal: earlier.number });
  return { faults, last };
}

/** Every fault that `verifyAudit` finds of one row and of the seal that it is under. */
export async function proofFaults(
  db: Kysely<Database>,
  { row, before, sealedBefore, ...batch }: RowBatch,
  keys: readonly AuditKey[],
): Promise<readonly AuditFault[]> {
  const trust = new Map(keys.map(({ kid, publicJwk }) => [kid, publicJwk]));
  return [
    ...batchFaults(batch, before, trust).filter((fault) => fault.kind !== 'changed' || fault.row === row.seq),
    ...lateRows([row], sealedBefore),
    ...(rowHash(row) === row.leaf ? digestFaults([row], keys) : []),
    ...(await rowChainFaults(db, row.seq)),
  ];
}

/** Whether a proof holds: its row leads to its seal, whose signature is that of a trusted key. */
export function isProof({ row, index, path, seal }: AuditProof, trust: AuditTrust): boolean {
  return (
    rootBy(rowHash(row), { index, size: seal.rows, path }) === seal.root &&
    sealHash(seal) === seal.hash &&
    isSigned(seal, trust)
  );
}

function batchFaults({ seal, rows }: SealedBatch, before: Seal | null, trust: AuditTrust): readonly AuditFault[] {
  const { number } = seal;
  const faults: AuditFault[] = [];
  for (let missing = (before?.number ?? 0) + 1; missing < number; missing += 1)
    faults.push({ kind: 'seal', seal: missing });
  const follows = before?.number === number - 1 || number === 1;
  if (sealHash(seal) !== seal.hash || (follows && seal.previous !== (before?.hash ?? origin)))
    faults.push({ kind: 'seal', seal: number });
  if (!isSigned(seal, trust)) faults.push({ kind: 'signature', seal: number });
  const changed = rows.filter((row) => rowHash(row) !== row.leaf);
  faults.push(...changed.map(({ seq }) => ({ kind: 'changed', row: seq }) as const));
  const leaves = rows.map(({ leaf }) => leaf ?? '');
  if (rows.length === 0 || rows.length !== seal.rows || treeRoot(leaves) !== seal.root)
    faults.push({ kind: 'rows', seal: number });
  return faults;
}

/** Rows that no holder of a key wrote so. */
function digestFaults(rows: readonly AuditRow[], keys: readonly AuditKey[]): readonly AuditFault[] {
  return rows.filter((row) => !isAsWritten(row, keys)).map(({ seq }) => ({ kind: 'digest', row: seq }) as const);
}

/** Rows that should have been there when others were sealed. */
function lateRows(rows: readonly Pick<AuditRow, 'seq' | 'at'>[], sealedBefore: Date | null): readonly AuditFault[] {
  if (sealedBefore === null) return [];
  const earliest = after(sealedBefore, -toleranceS);
  return rows.filter(({ at }) => at < earliest).map(({ seq }) => ({ kind: 'late', row: seq }));
}

function isSigned({ key, hash, signature }: Seal, trust: AuditTrust): boolean {
  const publicJwk = trust.get(key);
  return publicJwk !== undefined && isSignature(signature, hash, publicJwk);
}

/** The lease of sealing, where it ends later than a holder can have written it. */
async function movedLease(db: Kysely<Database>): Promise<readonly AuditFault[]> {
  const moved = await db
    .selectFrom('leases')
    .select('until')
    .where('name', '=', 'seal')
    .where('until', '>', sql<Date>`clock_timestamp() + ${leaseS + 60} * interval '1 second'`)
    .executeTakeFirst();
  return moved === undefined ? [] : [{ kind: 'lease', until: moved.until }];
}

async function looseFaults(
  db: Kysely<Database>,
  { last, keys }: { readonly last: Seal | null; readonly keys: readonly AuditKey[] },
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
    ...lateRows(unsealed, last?.sealed_at ?? null),
    ...digestFaults(unsealed, keys),
  ];
}

/** How many rows wait for their seal, and since when the first of them does. */
export async function unsealedRows(
  db: Kysely<Database>,
): Promise<{ readonly rows: number; readonly since: Date | null }> {
  const found = await db
    .selectFrom('audit')
    .select(({ fn }) => [fn.countAll<number>().as('rows'), fn.min('at').as('since')])
    .where('seal', 'is', null)
    .executeTakeFirstOrThrow();
  return { rows: Number(found.rows), since: found.since };
}
