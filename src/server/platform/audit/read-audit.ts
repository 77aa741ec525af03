import type { Kysely } from 'kysely';
import type { Database } from '../database/schema.ts';
import { pathTo } from './merkle.ts';
import type { AuditRow, Seal } from './seal-audit.ts';

/** A seal with the rows that are said to be under it. */
export interface SealedBatch {
  readonly seal: Seal;
  readonly rows: readonly AuditRow[];
}

/** That one row is under a seal, for somebody who sees no other row. */
export interface AuditProof {
  readonly row: AuditRow;
  /** Place among the rows of the seal, from 0. */
  readonly index: number;
  /** Hashes that lead from the row to the seal's root, lowest first. */
  readonly path: readonly string[];
  readonly seal: Seal;
}

/** Seals that are read at once: each has up to a thousand rows. */
const batch = 20;

/** Every seal with its rows, in order. */
export async function* readSealed(db: Kysely<Database>): AsyncGenerator<SealedBatch> {
  for (let last = 0; ;) {
    const seals = await db
      .selectFrom('audit_seals')
      .selectAll()
      .where('number', '>', last)
      .orderBy('number')
      .limit(batch)
      .execute();
    const [first, end] = [seals[0]?.number, seals.at(-1)?.number];
    if (first === undefined || end === undefined) return;
    const rows = new Map(seals.map(({ number }): [number, AuditRow[]] => [number, []]));
    for (const row of await readSealedRows(db, first, end)) rows.get(row.seal ?? 0)?.push(row);
    for (const seal of seals) yield { seal, rows: rows.get(seal.number) ?? [] };
    last = end;
  }
}

/** The batch of one row, and the seals before it. */
export interface RowBatch extends SealedBatch {
  readonly row: AuditRow;
  /** The seal before that of the row; `null` if there is none. */
  readonly before: Seal | null;
  /** When the sealing run before that of the row sealed; `null` if there was none. */
  readonly sealedBefore: Date | null;
}

/** Reads the batch of one row; null: there is no such row, or it waits for its seal. */
export async function readRowBatch(db: Kysely<Database>, seq: number): Promise<RowBatch | null> {
  const row = await db.selectFrom('audit').selectAll().where('seq', '=', seq).executeTakeFirst();
  const number = row?.seal ?? null;
  if (row === undefined || number === null) return null;
  const seal = await db.selectFrom('audit_seals').selectAll().where('number', '=', number).executeTakeFirstOrThrow();
  const earlier = db.selectFrom('audit_seals').where('number', '<', number).orderBy('number', 'desc').limit(1);
  return {
    row,
    seal,
    rows: await readSealedRows(db, number, number),
    before: (await earlier.selectAll().executeTakeFirst()) ?? null,
    sealedBefore:
      (await earlier.select('sealed_at').where('sealed_at', '<', seal.sealed_at).executeTakeFirst())?.sealed_at ?? null,
  };
}

export function proveRow({ row, rows, seal }: RowBatch): AuditProof {
  const index = rows.findIndex(({ seq }) => seq === row.seq);
  return {
    row,
    index,
    path: pathTo(
      index,
      rows.map(({ leaf }) => leaf ?? ''),
    ),
    seal,
  };
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
