import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import { endRestored } from '../../server/app/purge.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { restoreBackup } from '../../server/platform/database/restore.ts';
import { verifyBackup } from '../../server/platform/database/restore.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import { action, UsageError } from '../command.ts';
import { reportRestored, splitLines } from './audit-report.ts';
import { readSettings, withOwnedDatabase } from './with-store.ts';

const options = { unverified: { type: 'boolean', default: false } } as const;

export const command = action(options, async ({ words: [file], options: { unverified }, terminal }) => {
  if (file === undefined) throw new UsageError('From which file?');
  const config = readSettings(terminal);
  const keys = await readAuditKeys(config.keys);
  if (unverified) terminal.err(unverifiedText(file));
  const digest = unverified ? null : await verifyBackup(linesIn(file), keys);
  return withOwnedDatabase(config, async (db) => {
    const settle = endRestored(systemClock.now());
    return reportRestored(db, keys, await restoreBackup(db, linesIn(file), { digest, settle }), terminal);
  });
});

function linesIn(file: string): AsyncIterable<string> {
  const text = pipeline(createReadStream(file), createGunzip(), () => undefined); // the reader of the stream gets its errors
  return splitLines(text.setEncoding('utf8'));
}

function unverifiedText(file: string): string {
  return `WARNING: ${file} IS NOT VERIFIED. Whoever could write to it since the backup decides what is restored: accounts, passwords, permissions,
the audit log. Rows of the audit log that another key signed are reported as broken below, and nobody can tell them from forged ones.
Compare accounts with permissions (npx portal account) with what you know before you start a server.
`;
}
