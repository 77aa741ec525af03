import { sql, type Kysely } from 'kysely';
import { leaseS } from '../base/lease-life.ts';
import type { Database } from '../database/schema.ts';

/** What is wrong with the numbers and times of the rows of a log, whether sealed or not. */
export type ChainFault =
  /** Rows of a writer are missing that its later rows name: they were deleted. */
  | { readonly kind: 'missing'; readonly writer: string; readonly first: number; readonly last: number }
  /** Two rows have one number of one writer: one is a copy. */
  | { readonly kind: 'copied'; readonly row: number }
  /** A row has no digest, a day after rows began to have one. */
  | { readonly kind: 'undigested'; readonly row: number }
  /** Rows waited for their seal although their writer went on: somebody held sealing up. `seal` is null while they wait. */
  | { readonly kind: 'waited'; readonly seal: number | null; readonly rows: number };

/** Seconds that a row may wait for its seal: another replica may have died with the lease. */
const waitS = leaseS + 60;

/** Seconds between a row of a process that wakes up and the seal of the rows that it left. */
const wakeS = 60;

/** Faults of the number and the digest of one row, as `chainFaults` finds them of all. */
export async function rowChainFaults(db: Kysely<Database>, row: number): Promise<readonly ChainFault[]> {
  const { rows } = await sql<{ copied: boolean; undigested: boolean }>`
    select
      number is not null and exists (
        select from audit other where other.writer = own.writer and other.number = own.number and other.seq < own.seq) as copied,
      digest is null and exists (
        select from audit other where other.digest is not null and other.at < own.at - interval '1 day') as undigested
    from audit own where seq = ${row}`.execute(db);
  return rows.flatMap(({ copied, undigested }) => [
    ...(copied ? [{ kind: 'copied', row } as const] : []),
    ...(undigested ? [{ kind: 'undigested', row } as const] : []),
  ]);
}

/** Every fault of the numbers and times of rows. */
export async function chainFaults(db: Kysely<Database>): Promise<readonly ChainFault[]> {
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
  const undigested = await sql<{ row: number }>`
    select seq as row from audit
    where digest is null and at > (select min(at) from audit where digest is not null) + interval '1 day' order by seq`.execute(
    db,
  );
  const waited = await sql<{ seal: number | null; rows: number }>`
    with waiting as (
      select seal, writer, min(at) as since, count(*)::int as rows, coalesce(sealed_at, (select max(at) from audit)) as until
      from audit left join audit_seals on audit_seals.number = audit.seal
      where writer is not null and coalesce(sealed_at, (select max(at) from audit)) > at + ${waitS + wakeS} * interval '1 second'
      group by seal, writer, sealed_at)
    select seal, sum(rows)::int as rows from waiting
    where exists (select from audit later where later.writer = waiting.writer
      and later.at between since + ${waitS} * interval '1 second' and until - ${wakeS} * interval '1 second')
    group by seal order by seal`.execute(db);
  return [
    ...missing.rows.map((row) => ({ kind: 'missing', ...row }) as const),
    ...copied.rows.map((row) => ({ kind: 'copied', ...row }) as const),
    ...undigested.rows.map((row) => ({ kind: 'undigested', ...row }) as const),
    ...waited.rows.map((row) => ({ kind: 'waited', ...row }) as const),
  ];
}
