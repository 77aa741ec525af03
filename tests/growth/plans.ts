import type pg from 'pg';
import type { Statement } from './statements.ts';

/** A node of a plan, as EXPLAIN writes it; what was counted is there where it was executed. */
interface Node {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Rows'?: number;
  readonly 'Actual Loops'?: number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly Node[];
}

/** Rows of a large table that a statement may look at: far more than a citizen has, far fewer than there are. */
const few = 300;

/** Rows of each table, as ANALYZE counted them. */
export async function rowCounts(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(`
    select relname::text as name, reltuples::float8 as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}

/**
 * What of a statement would take longer in a larger country, by its plan for these values, and by that for any, which PostgreSQL may take for what is
 * prepared. The statement is executed, and taken back: an index that is read from end to end, or leads to many rows of which a filter leaves one,
 * shows in the rows that were looked at.
 */
export async function planFaults(
  client: pg.Client,
  { text, values }: Statement,
  large: ReadonlySet<string>,
): Promise<readonly string[]> {
  const forAny = await faultsForAny(client, text, large);
  await client.query('begin');
  try {
    return [...forAny, ...(await explain(client, { options: 'analyze', text, values }, large))];
  } catch (error) {
    if (/^\s*select/i.test(text)) throw error;
    return forAny; // what is done cannot be done once more: the row is there, or sealed
  } finally {
    await client.query('rollback');
  }
}

/** What of the plan for any values would take longer in a larger country. */
export function faultsForAny(client: pg.Client, text: string, large: ReadonlySet<string>): Promise<readonly string[]> {
  return explain(client, { options: 'generic_plan', text, values: [] }, large);
}

async function explain(
  client: pg.Client,
  { options, text, values }: Statement & { readonly options: string },
  large: ReadonlySet<string>,
): Promise<readonly string[]> {
  const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: Node }] }>(
    `explain (format json, ${options}) ${text}`,
    [...values],
  );
  return rows.flatMap(({ 'QUERY PLAN': [{ Plan }] }) => [...faultsOf(Plan, large)]);
}

function* faultsOf(node: Node, large: ReadonlySet<string>): Generator<string> {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, Plans: below = [] } = node;
  if (type === 'Seq Scan' && large.has(table)) yield `reads all of ${table}`;
  const looked = rowsLookedAt(node);
  if (/Scan$/.test(type) && looked > few) yield `looks at ${looked} rows of ${[table, index].join(' by ')}`;
  for (const one of below) yield* faultsOf(one, large);
}

function rowsLookedAt(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0));
}
