import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import { Decrypter } from 'age-encryption';
import { createRestoreCleanup } from '../../server/app/purge-expired-data.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { restoreBackup, verifyBackup } from '../../server/platform/database/restore-backup.ts';
import { readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import { createCliAction, CommandError, UsageError } from '../command.ts';
import { printRestoreResult } from './restore-report.ts';
import { splitLines } from './terminal-text.ts';
import { toWebStream } from './backup.ts';
import { readServerConfig, withOwnerDatabase } from './with-store.ts';
import { describeError } from '../../server/platform/base/errors.ts';

const options = {
  unverified: { type: 'boolean', default: false },
  identity: { type: 'string' },
} as const;

export const command = createCliAction(
  options,
  async ({ positionals: [file], options: { unverified, identity }, terminal }) => {
    if (file === undefined) throw new UsageError('Missing argument: FILE.');
    const config = readServerConfig(terminal);
    const keys = await readAuditKeys(config.keys);
    const lines = await openLines(file, identity);
    if (unverified)
      terminal.err(`WARNING: ${file} IS NOT VERIFIED. Whoever could write to it since the backup decides what is restored: accounts, passwords, permissions,
the audit log. Rows of the audit log that another key signed are reported as broken below, and nobody can tell them from forged ones.
Compare accounts with permissions (npx portal account) with what you know before you start a server.
`);
    const digest = unverified ? null : await verifyBackup(lines(), keys);
    return withOwnerDatabase(config, async (db) => {
      const settle = createRestoreCleanup(systemClock.now());
      return printRestoreResult(db, keys, await restoreBackup(db, lines(), { digest, settle }), terminal);
    });
  },
);

/** First line of an encrypted file. */
const ageHeader = 'age-encryption.org/v1';

/** Returns a function that reads the lines from the start. `identity` is a file with the age identities of an encrypted backup. */
async function openLines(file: string, identity: string | undefined): Promise<() => AsyncIterable<string>> {
  const decrypter = (await isEncrypted(file)) ? await createDecrypter(file, identity) : null;
  async function* decrypt(bytes: AsyncIterable<Uint8Array>) {
    yield* decrypter === null ? bytes : await decrypter.decrypt(toWebStream(bytes));
  }
  return () => {
    const text = pipeline(createReadStream(file), decrypt, createGunzip(), () => undefined); // the empty last stage passes errors of the other stages on to the reader
    return splitLines(text.setEncoding('utf8'));
  };
}

async function isEncrypted(file: string): Promise<boolean> {
  const start = createReadStream(file, { encoding: 'latin1', end: ageHeader.length - 1 });
  try {
    for await (const text of start) return text === ageHeader;
    return false;
  } catch (cause) {
    throw new CommandError(`${file} cannot be read: ${describeError(cause)}`, { cause });
  }
}

async function createDecrypter(file: string, identity: string | undefined): Promise<Decrypter> {
  if (identity === undefined)
    throw new UsageError(`${file} is encrypted. Give the file of the age identity: --identity FILE`);
  const decrypter = new Decrypter();
  try {
    const lines = (await readFile(identity, 'utf8')).split(/\r?\n/);
    for (const line of lines) if (line.startsWith('AGE-SECRET-KEY-')) decrypter.addIdentity(line.trim());
  } catch (cause) {
    throw new CommandError(`${identity} cannot be used: ${describeError(cause)}`, { cause });
  }
  return decrypter;
}
