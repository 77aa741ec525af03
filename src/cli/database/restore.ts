import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import { endRestored } from '../../server/app/purge.ts';
import { systemClock } from '../../server/platform/base/clock.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { restoreBackup } from '../../server/platform/database/restore.ts';
import { verifyBackup } from '../../server/platform/database/verify-backup.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import { action, UsageError, type Command, type Invocation } from '../command.ts';
import { createVerifier } from './with-keys.ts';
import { splitLines } from './audit-report.ts';
import { reportRestored } from './report-restored.ts';
import { withOwnedDatabase } from './with-store.ts';

export const command: Command = {
  action: action(options(), restore),
};

function options() {
  return { unverified: { type: 'boolean', default: false } } as const;
}

async function restore({
  words: [file],
  options: { unverified },
  terminal,
}: Invocation<ReturnType<typeof options>>): Promise<number> {
  if (file === undefined) throw new UsageError('From which file?');
  const config = readConfig(readEnvironment(terminal.env));
  const keys = await readAuditKeys(config.keys);
  if (unverified) terminal.err(unverifiedText(file));
  const digest = unverified ? null : await verifyBackup(linesIn(file), keys.map(createVerifier));
  return withOwnedDatabase(config, async (db) => {
    const settle = endRestored(systemClock.now());
    const restored = await restoreBackup(db, linesIn(file), { digest, settle });
    return reportRestored({ db, keys: config.keys, restored, terminal });
  });
}

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
