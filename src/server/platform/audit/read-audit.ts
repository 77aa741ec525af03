import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { computeMerkleInclusionPath } from './merkle-tree.ts';
import type { AuditRow, AuditSeal } from './seal-audit.ts';

export interface SealedAuditBatch {
  readonly seal: AuditSeal;
  readonly rows: readonly AuditRow[];
}

/** Inclusion proof of one row, verifiable without the other rows of the seal. */
export interface AuditInclusionProof {
  readonly row: AuditRow;
  /** Index among the rows of the seal, from 0. */
  readonly index: number;
  /** Inclusion path from the row to the root of the seal, lowest hash first. */
  readonly path: readonly string[];
  readonly seal: AuditSeal;
}

/** Number of seals to read per query. Each has up to 1,000 rows. */
const sealsPerQuery = 20;

/** Reads the batches after the seal with number `last`. */
export async function* readSealedAuditBatches(db: Kysely<Database>, last = 0): AsyncGenerator<SealedAuditBatch> {
  for (;;) {
    const seals = await db
      .selectFrom('audit_seals')
      .selectAll()
      .where('number', '>', last)
      .orderBy('number')
      .limit(sealsPerQuery)
      .execute();
    const [first, end] = [seals[0]?.number, seals.at(-1)?.number];
    if (first === undefined || end === undefined) return;
    const rows = new Map(seals.map(({ number }): [number, AuditRow[]] => [number, []]));
    for (const row of await readSealedRows(db, first, end)) rows.get(row.seal ?? 0)?.push(row);
    for (const seal of seals) yield { seal, rows: rows.get(seal.number) ?? [] };
    last = end;
  }
}

export interface SealedAuditRow extends SealedAuditBatch {
  readonly row: AuditRow;
  readonly previousSeal: AuditSeal | null;
  readonly previousRunAt: Date | null;
}

/** Reads a sealed row with the rows of its seal. Returns `null` if the row does not exist or is not sealed yet. */
export async function readSealedAuditRow(db: Kysely<Database>, seq: number): Promise<SealedAuditRow | null> {
  const row = await db.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst();
  const number = row?.seal ?? null;
  if (row === undefined || number === null) return null;
  const seal = await db.selectFrom('audit_seals').selectAll().where('number', '=', number).executeTakeFirstOrThrow();
  const earlier = db.selectFrom('audit_seals').where('number', '<', number).orderBy('number', 'desc').limit(1);
  return {
    row,
    seal,
    rows: await readSealedRows(db, number, number),
    previousSeal: (await earlier.selectAll().executeTakeFirst()) ?? null,
    previousRunAt:
      (await earlier.select('sealed_at').where('sealed_at', '<', seal.sealed_at).executeTakeFirst())?.sealed_at ?? null,
  };
}

export function createAuditInclusionProof({ row, rows, seal }: SealedAuditRow): AuditInclusionProof {
  const index = rows.findIndex(({ seq }) => seq === row.seq);
  const leaves = rows.map(({ leaf }) => leaf ?? '');
  return { row, index, path: computeMerkleInclusionPath(index, leaves), seal };
}

function readSealedRows(db: Kysely<Database>, first: number, last: number): Promise<readonly AuditRow[]> {
  return db
    .selectFrom('audit')
    .selectAll()
    .where('seal', '>=', first)
    .where('seal', '<=', last)
    .orderBy('seal')
    .orderBy('seq')
    .execute();
}
