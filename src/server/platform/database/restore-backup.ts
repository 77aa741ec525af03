import { createHash } from 'node:crypto';
import { sql, type Kysely, type Transaction } from 'kysely';
import { asObject, isObject } from '../../../engine/core/json.ts';
import { describeError, RestoreError } from '../base/errors.ts';
import {
  backupFormatVersion,
  listBackupTables,
  type BackupHeader,
  type BackupControlLine,
  type TableRowCounts,
  formatSignedBackupText,
  type BackupSigningKey,
} from './backup.ts';
import { runMigrations, migrationNames, listAppliedMigrations } from './migrate.ts';
import type { Database } from './schema.ts';

type EndMarker = Extract<BackupControlLine, readonly ['end', ...unknown[]]>;

const lostKeyAdvice =
  'If that key is lost, --unverified restores the file without a check: then whoever could write to it decides what is in the database.';

/** Returns the digest of a backup. Throws a `RestoreError` if the backup was changed or none of the keys signed it. */
export async function verifyBackup(lines: AsyncIterable<string>, keys: readonly BackupSigningKey[]): Promise<string> {
  const { end, sha256, seals } = await readDigest(lines);
  const [, counts, expected, kid, signature] = end;
  if (kid === undefined || signature === undefined)
    throw new RestoreError(
      `The backup is not signed: a version before signatures wrote it, or somebody took its signature away. Restore a signed one. ${lostKeyAdvice}`,
    );
  if (sha256 !== expected) throw createDamagedError();
  const key = keys.find((known) => known.kid === kid);
  if (key === undefined)
    throw new RestoreError(
      `The backup is signed by the audit key ${kid}, which is none of this server's (${keys.map((known) => known.kid).join(', ')}). Set AUDIT_KEY, or KEYS_DIR, to the keys of the server that was backed up. ${lostKeyAdvice}`,
    );
  if (!key.isValidSignature(signature, formatSignedBackupText(counts, sha256)))
    throw new RestoreError(
      `The signature of the backup does not hold: its last line was changed, or all of it was written by somebody without the audit key ${key.kid}. Restore another copy.`,
    );
  const missing = [...seals].filter((kid) => keys.every((known) => known.kid !== kid));
  if (missing.length > 0)
    throw new RestoreError(
      `The audit log of the backup is sealed by keys that this server lacks (${missing.join(', ')}). This is no sign of tampering: set AUDIT_KEY, or KEYS_DIR, to all audit keys of the server that was backed up, older ones included. ${lostKeyAdvice}`,
    );
  return sha256;
}

async function readDigest(lines: AsyncIterable<string>) {
  const seals = new Set<string>(); // `kid` of each key that sealed the audit log in the backup
  let isSeal = false;
  const hash = createHash('sha256');
  const reading = lines[Symbol.asyncIterator]();
  let end: EndMarker | null = null;
  try {
    for (;;) {
      const { done, value: line } = await reading.next().catch(throwUnreadable);
      if (done === true) break;
      if (end !== null) throw new RestoreError(trailingDataMessage);
      if (line.startsWith('["end"')) end = readEnd(line);
      else hash.update(line).update('\n');
      if (line.startsWith('["table"')) isSeal = line.startsWith('["table","audit_seals"');
      else if (isSeal && line.startsWith('{')) seals.add(String(asObject(parseLine(line))['key']));
    }
  } finally {
    await reading.return?.();
  }
  if (end === null) throw new RestoreError(truncatedMessage);
  return { end, sha256: hash.digest('hex'), seals };
}

function readEnd(line: string): EndMarker {
  const mark = parseLine(line);
  if (!Array.isArray(mark) || !isObject(mark[1]) || typeof mark[2] !== 'string') throw createDamagedError();
  return mark as unknown as EndMarker; // the cast is safe: the signature, which is verified later, covers this line
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    throw createDamagedError();
  }
}

function createDamagedError(): RestoreError {
  return new RestoreError(
    'The file is no backup of the portal, or it was changed or damaged: its checksum does not hold. Restore another copy.',
  );
}

const truncatedMessage = 'The backup ends too early: a part of the file is missing. Restore another copy.';
const trailingDataMessage = 'The backup goes on after its end: somebody added to the file. Restore another copy.';

function throwUnreadable(cause: unknown): never {
  throw new RestoreError(`The backup cannot be read: ${describeError(cause)}`, { cause });
}

/** Maximum size of one insert statement, in characters of JSON and in rows. */
const insertLimits = { characters: 1_000_000, rows: 1_000 };

interface RestoreOptions {
  /** Digest that `verifyBackup` returned for the same file. `null` if the lines are not from a file or cannot be verified. */
  readonly digest: string | null;
  /** Changes the restored rows of `tables`, in the transaction of the restore. */
  readonly settle?: (tx: Transaction<Database>, tables: readonly string[]) => Promise<void>;
}

/**
 * Restores a backup into an empty database in one transaction: creates the tables of the backup's version, and migrates them after the import. Throws a
 * `RestoreError` if the backup is damaged or the database is not empty.
 */
export async function restoreBackup(
  db: Kysely<Database>,
  lines: AsyncIterable<string>,
  { digest, settle }: RestoreOptions,
): Promise<TableRowCounts> {
  const backup = lines[Symbol.asyncIterator]();
  try {
    const first = await backup.next().catch(throwUnreadable);
    const head = parseHeader(first.done === true ? '' : first.value);
    await createTables(db, head);
    const counts = await db.transaction().execute((tx) => insertAll(tx, first.value, backup, { digest, settle }));
    await runMigrations(db);
    return counts;
  } finally {
    await backup.return?.();
  }
}

function parseHeader(line: string): BackupHeader {
  const head = parseLine(line);
  if (!isObject(head) || head['portal'] !== 'backup' || !Array.isArray(head['migrations']))
    throw new RestoreError('The file is not a backup of the portal.');
  const { format } = head;
  if (typeof format !== 'number' || format < 1 || format > backupFormatVersion)
    throw new RestoreError(`The backup has format ${String(format)}; this version reads up to ${backupFormatVersion}.`);
  const migrations = head['migrations'].map(String);
  const unknown = migrations.filter((name, index) => migrationNames[index] !== name);
  if (unknown.length > 0)
    throw new RestoreError(
      `The backup is of a version with other migrations (${unknown.join(', ')}): restore it with that version, or a later one.`,
    );
  if (migrations.length === 0) throw new RestoreError('The backup is of a database without tables.');
  return { portal: 'backup', format, at: String(head['at']), migrations };
}

async function createTables(db: Kysely<Database>, { migrations }: BackupHeader): Promise<void> {
  await assertEmpty(db, await listBackupTables(db));
  const present = await listAppliedMigrations(db);
  if (present.length > migrations.length)
    throw new RestoreError(
      'The database has the tables of a later version than the backup: drop it, and make an empty one.',
    );
  await runMigrations(db, migrations.at(-1));
}

async function assertEmpty(db: Kysely<Database>, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const { rows } = await sql`select from ${sql.table(table)} limit 1`.execute(db);
    if (rows.length > 0)
      throw new RestoreError(`The database is not empty: ${table} has rows. Make an empty one for the backup.`);
  }
}

async function insertAll(
  tx: Transaction<Database>,
  head: string,
  backup: AsyncIterator<string>,
  { digest, settle }: RestoreOptions,
): Promise<TableRowCounts> {
  const tables = await listBackupTables(tx);
  // Locks the tables, so that a server that starts during the restore waits. Disables their triggers, which already ran in the original database.
  for (const table of tables) {
    await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx);
    await sql`alter table ${sql.table(table)} disable trigger user`.execute(tx);
  }
  await assertEmpty(tx, tables);
  const counts = await insertLines(tx, { tables, head, backup, digest });
  await settle?.(tx, tables);
  for (const table of tables) await sql`alter table ${sql.table(table)} enable trigger user`.execute(tx);
  return counts;
}

async function insertLines(
  tx: Transaction<Database>,
  {
    tables,
    head,
    backup,
    digest,
  }: { tables: readonly string[]; head: string; backup: AsyncIterator<string>; digest: string | null },
): Promise<TableRowCounts> {
  const hash = createHash('sha256').update(head).update('\n');
  const counts: Record<string, number> = Object.fromEntries(tables.map((table) => [table, 0]));
  let table: string | null = null;
  let rows: string[] = [];
  let characters = 0;
  const flush = async (): Promise<void> => {
    if (table !== null && rows.length > 0) counts[table] = (counts[table] ?? 0) + (await insertRows(tx, table, rows));
    rows = [];
    characters = 0;
  };
  for (;;) {
    const { done, value: line } = await backup.next().catch(throwUnreadable);
    if (done === true) throw new RestoreError(truncatedMessage);
    if (line.startsWith('{')) {
      if (table === null) throw createDamagedError();
      rows.push(line);
      characters += line.length;
      if (rows.length === insertLimits.rows || characters > insertLimits.characters) await flush();
    } else {
      await flush();
      const mark = parseMarker(line);
      if (mark[0] === 'end') {
        const [, expected, sha256] = mark;
        // The file may have been replaced after the verification.
        if (sha256 !== hash.digest('hex') || (digest !== null && sha256 !== digest)) throw createDamagedError();
        if ((await backup.next().catch(throwUnreadable)).done !== true) throw new RestoreError(trailingDataMessage);
        const unequal = Object.keys(counts).filter((name) => counts[name] !== (expected[name] ?? 0));
        if (unequal.length > 0) throw new RestoreError(`Not every row arrived: ${unequal.join(', ')}.`);
        return counts;
      }
      if (mark[0] === 'sequence') {
        const [, name, value, isUsed] = mark;
        await sql`select setval(quote_ident(${name})::regclass, ${value}::bigint, ${isUsed}::boolean)`.execute(tx);
      } else if (tables.includes(mark[1])) table = mark[1];
      else throw new RestoreError(`The backup has a table ${mark[1]} that no migration made.`);
    }
    hash.update(line).update('\n');
  }
}

async function insertRows(tx: Transaction<Database>, table: string, rows: readonly string[]): Promise<number> {
  try {
    const { numAffectedRows } = await sql`
      insert into ${sql.table(table)} overriding system value
      select * from jsonb_populate_recordset(null::${sql.table(table)}, ${`[${rows.join(',')}]`}::jsonb)`.execute(tx);
    return Number(numAffectedRows);
  } catch (cause) {
    throw new RestoreError(`Rows of ${table} cannot be restored: ${String(cause)}`, { cause });
  }
}

function parseMarker(line: string): BackupControlLine {
  const mark = parseLine(line);
  if (Array.isArray(mark) && ['table', 'sequence', 'end'].includes(String(mark[0])))
    return mark as unknown as BackupControlLine; // the cast is safe: `generateBackupLines` wrote the line, and the checksum covers it
  throw createDamagedError();
}
