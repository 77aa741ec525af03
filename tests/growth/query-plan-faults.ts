import type pg from 'pg';
import type { Statement } from './record-statements.ts';

/** A node of a plan in EXPLAIN's output. It has actual counts only if the statement was executed. */
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

/**
 * Maximum number of rows of a large table that a statement may read: far more than one citizen has, far fewer than the
 * table has.
 */
const maxRowsRead = 300;

/** Returns the row count of each table, as ANALYZE estimates it. */
export async function countRows(client: pg.Client): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ name: string; rows: number }>(`
    select relname::text as name, reltuples::float8 as rows from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`);
  return new Map(rows.map(({ name, rows: count }) => [name, count]));
}

/**
 * Returns the parts of a statement's plan whose cost grows with the population. Checks the plan for the statement's
 * values, and the generic plan, which PostgreSQL may choose for prepared statements. Executes the statement and rolls
 * it back: only actual row counts reveal a full index scan, or an index scan whose rows are mostly filtered out.
 */
export async function findPlanFaults(
  client: pg.Client,
  { text, values }: Statement,
  large: ReadonlySet<string>,
): Promise<readonly string[]> {
  const forAny = await findGenericPlanFaults(client, text, large);
  await client.query('begin');
  try {
    return [...forAny, ...(await explain(client, { options: 'analyze', text, values }, large))];
  } catch (error) {
    if (/^\s*select/i.test(text)) throw error;
    return forAny; // returns only the faults of the generic plan, because a write may fail the second time, e.g. because its row exists
  } finally {
    await client.query('rollback');
  }
}

/** Returns the parts of the generic plan whose cost grows with the population. */
export function findGenericPlanFaults(
  client: pg.Client,
  text: string,
  large: ReadonlySet<string>,
): Promise<readonly string[]> {
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
  return rows.flatMap(({ 'QUERY PLAN': [{ Plan }] }) => [...findNodeFaults(Plan, large)]);
}

function* findNodeFaults(node: Node, large: ReadonlySet<string>): Generator<string> {
  const { 'Node Type': type, 'Relation Name': table = '', 'Index Name': index, Plans: below = [] } = node;
  if (type === 'Seq Scan' && large.has(table)) yield `reads all of ${table}`;
  const looked = countReadRows(node);
  if (/Scan$/.test(type) && looked > maxRowsRead) yield `looks at ${looked} rows of ${[table, index].join(' by ')}`;
  for (const one of below) yield* findNodeFaults(one, large);
}

function countReadRows(node: Node): number {
  const removed = (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(((node['Actual Rows'] ?? 0) + removed) * (node['Actual Loops'] ?? 0));
}
