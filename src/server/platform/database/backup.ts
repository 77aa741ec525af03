import { createHash } from 'node:crypto';
import { sql, type ControlledTransaction, type Kysely } from 'kysely';
import { listAppliedMigrations } from './migrate.ts';
import type { Database } from './schema.ts';

/** Version of the backup format. Backups of version 1 are not signed. */
export const backupFormatVersion = 2;

export interface BackupHeader {
  readonly portal: 'backup';
  readonly format: number;
  /** Time of the snapshot (ISO 8601). */
  readonly at: string;
  readonly migrations: readonly string[];
}

export type TableRowCounts = Readonly<Record<string, number>>;

/**
 * A line of a backup that is not a row. `end` is the last line, with the SHA-256 of all lines before it and the signature of the audit key over
 * `formatSignedBackupText`. Every other line is one row of the table that was named last, as a JSON object.
 */
export type BackupControlLine =
  | readonly ['table', name: string]
  | readonly ['sequence', name: string, value: number, isUsed: boolean]
  | readonly ['end', counts: TableRowCounts, sha256: string, kid?: string, signature?: string];

const rowsPerQuery = 200;

/** Tables that a backup omits, because a restore runs the migrations itself. */
const migratorTables = ['kysely_migration', 'kysely_migration_lock', 'compatible_migrations'];

export interface BackupSigningKey {
  readonly kid: string;
  sign(text: string): string;
  isValidSignature(signature: string, text: string): boolean;
}

export function formatSignedBackupText(counts: TableRowCounts, sha256: string): string {
  return JSON.stringify(['portal backup', backupFormatVersion, counts, sha256]);
}

/**
 * Reads the lines of a backup from one read-only snapshot, which works on a standby and blocks no writer, and signs them with the audit key. Values are
 * PostgreSQL's own JSON, which is exact for each type, so PostgreSQL and the embedded database can exchange backups. Encrypted columns stay encrypted.
 * Keys are not included.
 */
export async function* generateBackupLines(
  db: Kysely<Database>,
  at: Date,
  key: Pick<BackupSigningKey, 'kid' | 'sign'>,
): AsyncGenerator<string> {
  const tx = await db.startTransaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute();
  const hash = createHash('sha256');
  const counts: Record<string, number> = {};
  const formatMarker = (line: BackupControlLine): string => JSON.stringify(line);
  const addToHash = (line: string): string => {
    hash.update(line).update('\n');
    return line;
  };
  try {
    await sql`set local time zone 'UTC'`.execute(tx); // gives timestamps the same format on every server
    const head: BackupHeader = {
      portal: 'backup',
      format: backupFormatVersion,
      at: at.toISOString(),
      migrations: await listAppliedMigrations(tx),
    };
    yield addToHash(JSON.stringify(head));
    for (const table of await listBackupTables(tx)) {
      yield addToHash(formatMarker(['table', table]));
      counts[table] = 0;
      for await (const row of streamRows(tx, table)) {
        counts[table] += 1;
        yield addToHash(row);
      }
    }
    for (const sequence of await readSequences(tx)) yield addToHash(formatMarker(sequence));
    const sha256 = hash.digest('hex');
    yield formatMarker(['end', counts, sha256, key.kid, key.sign(formatSignedBackupText(counts, sha256))]);
  } finally {
    await tx.rollback().execute();
  }
}

/** Lists the portal's tables, each after the tables that its foreign keys reference. */
export async function listBackupTables(db: Kysely<Database>): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; parents: readonly string[] }>`
    select c.relname::text as name, array(
      select distinct parent.relname::text from pg_constraint key join pg_class parent on parent.oid = key.confrelid
      where key.conrelid = c.oid and key.contype = 'f') as parents
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relname <> all(${migratorTables})
    order by name`.execute(db);
  const parents = new Map(rows.map((row) => [row.name, row.parents]));
  const ordered = new Set<string>();
  const add = (name: string, below: readonly string[]): void => {
    if (ordered.has(name)) return;
    if (below.includes(name)) throw new Error(`foreign keys in a circle: ${[...below, name].join(', ')}`);
    for (const parent of parents.get(name) ?? []) add(parent, [...below, name]);
    ordered.add(name);
  };
  for (const { name } of rows) add(name, []);
  return [...ordered];
}

async function* streamRows(tx: ControlledTransaction<Database>, table: string): AsyncGenerator<string> {
  await sql`declare backup no scroll cursor for select to_jsonb(t)::text as line from ${sql.table(table)} t`.execute(
    tx,
  );
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(rowsPerQuery)} from backup`.execute(tx);
    for (const { line } of rows) yield line;
    if (rows.length < rowsPerQuery) break;
  }
  await sql`close backup`.execute(tx);
}

/** Reads the sequences, without which a restored database would reuse the numbers of deleted rows. */
async function readSequences(tx: Kysely<Database>): Promise<readonly BackupControlLine[]> {
  const { rows } = await sql<{ name: string }>`
    select relname::text as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'S' order by 1`.execute(tx);
  const marks: BackupControlLine[] = [];
  for (const { name } of rows) {
    const { rows: values } = await sql<{ value: number; used: boolean }>`
      select last_value as value, is_called as used from ${sql.table(name)}`.execute(tx);
    for (const { value, used } of values) marks.push(['sequence', name, value, used]);
  }
  return marks;
}
