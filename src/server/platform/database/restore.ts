import { createHash } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import { isObject } from '../../../engine/core/json.ts';
import { backupFormat, tablesOf, type BackupHead, type BackupMark, type RowCounts } from './backup.ts';
import { migrate, migrationNames, migrationsOf } from './migrate.ts';
import type { Database } from './schema.ts';

/** A backup cannot be restored here, and nothing was; the message says why. */
export class RestoreError extends Error {}

/** Characters of JSON, and rows, that are inserted at once. */
const most = { characters: 1_000_000, rows: 1_000 };

/**
 * Puts the lines of a backup into an empty database, in one transaction: all of it or nothing. The tables are made as the backup had them, and brought up
 * to date afterwards. Answers the rows of each table. Throws a RestoreError.
 */
export async function restoreBackup(db: Kysely<Database>, lines: AsyncIterable<string>): Promise<RowCounts> {
  const backup = lines[Symbol.asyncIterator]();
  try {
    const first = await backup.next().catch(unreadable);
    const head = readHead(first.done === true ? '' : first.value);
    await makeTables(db, head);
    const counts = await db.transaction().execute((tx) => insertAll(tx, first.value, backup));
    await migrate(db);
    return counts;
  } finally {
    await backup.return?.();
  }
}

function readHead(line: string): BackupHead {
  const head = parse(line);
  if (!isObject(head) || head['portal'] !== 'backup' || !Array.isArray(head['migrations']))
    throw new RestoreError('The file is no backup of the portal.');
  if (head['format'] !== backupFormat)
    throw new RestoreError(`The backup has format ${String(head['format'])}; this version reads ${backupFormat}.`);
  const migrations = head['migrations'].map(String);
  const unknown = migrations.filter((name, index) => migrationNames[index] !== name);
  if (unknown.length > 0)
    throw new RestoreError(
      `The backup is of a version with other migrations (${unknown.join(', ')}): restore it with that version, or a later one.`,
    );
  if (migrations.length === 0) throw new RestoreError('The backup is of a database without tables.');
  return { portal: 'backup', format: backupFormat, at: String(head['at']), migrations };
}

async function makeTables(db: Kysely<Database>, { migrations }: BackupHead): Promise<void> {
  await refuseRows(db, await tablesOf(db));
  const present = await migrationsOf(db);
  if (present.length > migrations.length)
    throw new RestoreError(
      'The database has the tables of a later version than the backup: drop it, and make an empty one.',
    );
  await migrate(db, migrations.at(-1));
}

async function refuseRows(db: Kysely<Database>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0)
      throw new RestoreError(`The database is not empty: ${table} has rows. Make an empty one for the backup.`);
  }
}

async function insertAll(tx: Transaction<Database>, head: string, backup: AsyncIterator<string>): Promise<RowCounts> {
  const tables = await tablesOf(tx);
  // A server that starts meanwhile waits; triggers have done their work in the database that was backed up.
  for (const table of tables) {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
  }
  await refuseRows(tx, tables);
  const counts = await insertLines(tx, { tables, head, backup });
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
  return counts;
}

async function insertLines(
  tx: Transaction<Database>,
  { tables, head, backup }: { tables: readonly string[]; head: string; backup: AsyncIterator<string> },
): Promise<RowCounts> {
  const hash = createHash('sha256').update(head).update('\n');
  const counts: Record<string, number> = Object.fromEntries(tables.map((table) => [table, 0]));
  let table: string | null = null;
  let rows: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (table !== null && rows.length > 0) counts[table] = (counts[table] ?? 0) + (await insert(tx, table, rows));
    rows = [];
    characters = 0;
  };
  for (;;) {
    const { done, value: line } = await backup.next().catch(unreadable);
    if (done === true) throw new RestoreError('The backup ends too early: a part of the file is missing.');
    if (line.startsWith('{')) {
      if (table === null) throw damaged();
      rows.push(line);
      characters += line.length;
      if (rows.length === most.rows || characters > most.characters) await flush();
    } else {
      await flush();
      const mark = readMark(line);
      if (mark[0] === 'end') {
        const [, expected, sha256] = mark;
        if (sha256 !== hash.digest('hex')) throw damaged();
        return equalCounts(counts, expected);
      }
      if (mark[0] === 'sequence') await setSequence(tx, mark);
      else if (tables.includes(mark[1])) table = mark[1];
      else throw new RestoreError(`The backup has a table ${mark[1]} that no migration made.`);
    }
    hash.update(line).update('\n');
  }
}

async function insert(tx: Transaction<Database>, table: string, rows: readonly string[]): Promise<number> {
  try {
    const { numAffectedRows } = await sql`
      insert into ${sql.table(table)} overriding system value
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::jsonb)`.execute(tx);
    return Number(numAffectedRows);
  } catch (cause) {
    throw new RestoreError(`Rows of ${table} cannot be restored: ${String(cause)}`, { cause });
  }
}

async function setSequence(
  tx: Transaction<Database>,
  [, name, value, isUsed]: Extract<BackupMark, readonly ['sequence', ...unknown[]]>,
): Promise<void> {
  await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${isUsed}::boolean)`.execute(tx);
}

function equalCounts(counts: RowCounts, expected: RowCounts): RowCounts {
  const unequal = Object.keys(counts).filter((table) => counts[table] !== (expected[table] ?? 0));
  if (unequal.length > 0) throw new RestoreError(`Not every row arrived: ${unequal.join(', ')}.`);
  return counts;
}

function readMark(line: string): BackupMark {
  const mark = parse(line);
  if (Array.isArray(mark) && ['table', 'sequence', 'end'].includes(String(mark[0])))
    return mark as unknown as BackupMark; // written by `readBackup`, and under its checksum
  throw damaged();
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw damaged();
  }
}

function damaged(): RestoreError {
  return new RestoreError('The file is no backup of the portal, or it is damaged: its checksum does not hold.');
}

function unreadable(cause: unknown): never {
  throw new RestoreError(`The backup cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`, {
    cause,
  });
}
