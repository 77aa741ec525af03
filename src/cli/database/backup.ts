import { createHash, randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { Encrypter } from 'age-encryption';
import { sql, type Kysely } from 'kysely';
import { systemClock } from '../../server/platform/base/clock.ts';
import { generateBackupLines } from '../../server/platform/database/backup.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { locateDatabase } from '../../server/platform/database/open-store.ts';
import type { Database } from '../../server/platform/database/schema.ts';
import { readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import { createCliAction, CommandError, UsageError } from '../command.ts';
import { readServerConfig, withDatabase } from './with-store.ts';
import { describeError } from '../../server/platform/base/errors.ts';

const options = { recipient: { type: 'string', multiple: true } } as const;

export const command = createCliAction(
  options,
  async ({ positionals: [file], options: { recipient = [] }, terminal }) => {
    if (file === undefined) throw new UsageError('Missing argument: FILE.');
    const encrypter = recipient.length === 0 ? null : createEncrypter(recipient);
    const config = readServerConfig(terminal);
    const [key] = await readAuditKeys(config.keys);
    await withDatabase(locateDatabase(config, 1), async (db) => {
      if ((await listAppliedMigrations(db)).length === 0)
        throw new CommandError('The database has no tables: nothing to back up.');
      const at = systemClock.now();
      const sha256 = await writeAtomically(file, generateBackupLines(db, at, key), encrypter);
      if (!(await recordBackup(db, { at, sha256 })))
        terminal.err(
          'The database is a standby or not migrated: metrics and `portal doctor` do not know this backup.\n',
        );
      const advice = encrypter === null ? ' It holds personal data: encrypt it where it is kept.' : '';
      terminal.out(`Written: ${file}. The keys are not in it.${advice}\nSHA-256: ${sha256}\n`);
    });
  },
);

function createEncrypter(recipients: readonly string[]): Encrypter {
  const encrypter = new Encrypter();
  for (const recipient of recipients)
    try {
      encrypter.addRecipient(recipient);
    } catch (cause) {
      throw new UsageError(`${recipient} is not a recipient of age (age1…): ${describeError(cause)}`, { cause });
    }
  return encrypter;
}

/** Writes a file with mode 0600, encrypted if there are recipients, and renames it when it is complete. Returns its SHA-256. */
async function writeAtomically(file: string, lines: AsyncIterable<string>, encrypter: Encrypter | null) {
  const draft = `${file}.${randomUUID()}`;
  const hash = createHash('sha256');
  async function* addLineEnds() {
    for await (const line of lines) yield `${line}\n`;
  }
  async function* encrypt(gzipped: AsyncIterable<Uint8Array>) {
    yield* encrypter === null ? gzipped : await encrypter.encrypt(toWebStream(gzipped));
  }
  async function* digest(written: AsyncIterable<Uint8Array>) {
    for await (const bytes of written) {
      hash.update(bytes);
      yield bytes;
    }
  }
  try {
    const output = createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true });
    await pipeline(addLineEnds, createGzip(), encrypt, digest, output);
    await link(draft, file);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CommandError(`${file} cannot be written: ${cause.message}`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
  return hash.digest('hex');
}

/** Converts bytes to a web stream, which the age library requires. */
export function toWebStream(bytes: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  return Readable.toWeb(Readable.from(bytes)) as ReadableStream<Uint8Array>; // TypeScript's types of web streams differ between Node.js and the DOM
}

/** Returns `false` if the database is a standby or its schema is too old. */
async function recordBackup(db: Kysely<Database>, backup: { at: Date; sha256: string }): Promise<boolean> {
  const { rows } = await sql<{ ready: boolean }>`
    select not pg_is_in_recovery() and to_regclass('backups') is not null as ready`.execute(db);
  if (rows[0]?.ready !== true) return false;
  await db.insertInto('backups').values(backup).execute();
  return true;
}
