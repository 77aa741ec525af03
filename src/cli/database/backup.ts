import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { systemClock } from '../../server/platform/base/clock.ts';
import { readBackup } from '../../server/platform/database/backup.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import { action, CommandError, UsageError } from '../command.ts';
import { locateStore, readSettings, withDatabase } from './with-store.ts';

export const command = action({}, async ({ words: [file], terminal }) => {
  if (file === undefined) throw new UsageError('Into which file?');
  const config = readSettings(terminal);
  const [key] = await readAuditKeys(config.keys);
  await withDatabase(locateStore(config), async (db) => {
    if ((await listAppliedMigrations(db)).length === 0)
      throw new CommandError('The database has no tables: nothing to back up.');
    await writeWhole(file, readBackup(db, systemClock.now(), key));
  });
  terminal.out(`Written: ${file}. The keys are not in it. It holds personal data: encrypt it where it is kept.\n`);
});

/** Writes compressed lines into a new file with mode 0600. The file appears only when it is complete. */
async function writeWhole(file: string, lines: AsyncIterable<string>): Promise<void> {
  const draft = `${file}.${randomUUID()}`;
  try {
    await pipeline(withEnds(lines), createGzip(), createWriteStream(draft, { mode: 0o600, flags: 'wx', flush: true }));
    await link(draft, file);
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new CommandError(`${file} cannot be written: ${cause.message}`, { cause });
  } finally {
    await rm(draft, { force: true });
  }
}

async function* withEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`;
}
