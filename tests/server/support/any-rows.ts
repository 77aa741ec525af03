import { sql, type Kysely } from 'kysely';
import { listBackupTables } from '../../../src/server/platform/database/backup.ts';
import type { Database } from '../../../src/server/platform/database/schema.ts';

/** A column for which an INSERT may have a value. */
export interface Column {
  readonly table: string;
  readonly name: string;
  readonly type: string;
  /** Whether an INSERT may omit the column. */
  readonly optional: boolean;
  readonly identity: boolean;
}

/** Parts of the schema that a version of the portal depends on: columns, and targets of ON CONFLICT. */
export interface Tables {
  readonly columns: readonly Column[];
  /** Unique constraints and indexes, formatted as `table (columns) where …`. */
  readonly keys: readonly string[];
}

/** An inserted row, serialised as JSON by PostgreSQL. */
export interface InsertedRow {
  readonly table: string;
  readonly json: string;
}

export async function describeTables(db: Kysely<Database>): Promise<Tables> {
  const columns = await sql<Column>`
    select c.relname::text as table, a.attname::text as name, format_type(a.atttypid, a.atttypmod) as type,
      not a.attnotnull or a.atthasdef or a.attidentity <> '' as optional, a.attidentity <> '' as identity
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' order by c.relname, a.attnum`.execute(db);
  const keys = await sql<{ key: string }>`
    select i.indrelid::regclass || regexp_replace(pg_get_indexdef(i.indexrelid), '^.* USING \\w+ ', ' ') as key
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = current_schema()::regnamespace and i.indisunique order by 1`.execute(db);
  return { columns: columns.rows, keys: keys.rows.map(({ key }) => key) };
}

/** Formats the schema as text. Two databases have the same schema if the texts are equal. */
export async function formatTables(db: Kysely<Database>): Promise<string> {
  const { columns } = await describeTables(db);
  const { rows } = await sql<{ line: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as line from pg_constraint
      where connamespace = current_schema()::regnamespace
    union all select indexdef from pg_indexes where schemaname = current_schema()
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    union all select pg_get_functiondef(oid) from pg_proc where pronamespace = current_schema()::regnamespace
    order by 1`.execute(db);
  return [...columns.map((column) => JSON.stringify(column)), ...rows.map(({ line }) => line)].join('\n');
}

/** Values for columns with constraints, by `table.column`. */
const choices: Readonly<Record<string, unknown>> = {
  'agenda_hours.agenda': 'support',
  'agenda_hours.weekday': 1,
  'agenda_hours.places': 1,
  'agenda_exceptions.agenda': 'support',
  'agenda_exceptions.places': 1,
  'video_calls.kind': 'support',
  'room_seats.seat': 'agent',
  'call_stills.kind': 'face',
  'agent_acts.act': 'level',
};

let last = 0;

/** Inserts one row into each table, with a value in each of the given columns. Returns the rows. */
export async function insertAnyRows(db: Kysely<Database>, { columns }: Tables): Promise<readonly InsertedRow[]> {
  const number = (last += 1);
  const inserted: InsertedRow[] = [];
  for (const table of await listBackupTables(db)) {
    const own = columns.filter((column) => column.table === table && !column.identity);
    if (own.length === 0) continue;
    const parents = await parentsOf(db, table);
    const row: Record<string, unknown> = {};
    for (const { name, type } of own) row[name] = choices[`${table}.${name}`] ?? anyValue(type, number, table);
    for (const { parent, from, to } of parents) {
      const found = inserted.find((one) => one.table === parent);
      const values = JSON.parse(found?.json ?? '{}') as Record<string, unknown>;
      from.forEach((column, index) => (row[column] = values[to[index] ?? '']));
    }
    const names = sql.join(own.map(({ name }) => sql.ref(name)));
    const { rows } = await sql<{ json: string }>`
      insert into ${sql.table(table)} as t (${names})
      select ${names} from jsonb_populate_record(null::${sql.table(table)}, ${JSON.stringify(row)}::jsonb) returning to_jsonb(t)::text as json`.execute(
      db,
    );
    inserted.push({ table, json: rows[0]?.json ?? '' });
  }
  return inserted;
}

async function parentsOf(db: Kysely<Database>, table: string) {
  const { rows } = await sql<{ parent: string; from: readonly string[]; to: readonly string[] }>`
    select confrelid::regclass::text as parent,
      array(select attname::text from unnest(conkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = conrelid and a.attnum = k.n order by i) as from,
      array(select attname::text from unnest(confkey) with ordinality k(n, i) join pg_attribute a on a.attrelid = confrelid and a.attnum = k.n order by i) as to
    from pg_constraint where conrelid = ${table}::regclass and contype = 'f'`.execute(db);
  return rows;
}

function anyValue(type: string, number: number, table: string): unknown {
  switch (type) {
    case 'text':
      return `X${number}${table.toUpperCase()}`;
    case 'integer':
    case 'bigint':
      return number;
    case 'boolean':
      return true;
    case 'jsonb':
      return {};
    case 'int8multirange':
      return `{[${number},${number + 1})}`;
    case 'timestamp with time zone':
      return new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
    default:
      throw new Error(`no value for ${type} is known`);
  }
}
