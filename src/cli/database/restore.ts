import { createReadStream } from 'node:fs';
import { createGunzip } from 'node:zlib';
import { pipeline } from 'node:stream';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { restoreBackup } from '../../server/platform/database/restore.ts';
import { action, UsageError, type Command, type Given } from '../command.ts';
import { linesOf } from './lines-of.ts';
import { reportRestored } from './report-restored.ts';
import { databaseUsage, locationOf, withDatabase } from './with-store.ts';

export const command: Command = {
  usage: `Usage:
  portal restore FILE    puts a backup into the database of the settings, which must be empty: all of it, or nothing

A backup of an older version is brought up to date. Afterwards the audit log is verified, for which the keys of the backed up server are needed.
A server on the restored database sends the mails that waited when the backup was made.
${databaseUsage}`,
  action: action({}, restore),
};

function restore({ words: [file], terminal }: Given): Promise<number> {
  if (file === undefined) throw new UsageError('From which file?');
  const config = readConfig(readEnvironment(terminal.env));
  return withDatabase(locationOf(config), async (db) => {
    const text = pipeline(createReadStream(file), createGunzip(), () => undefined).setEncoding('utf8'); // its reader hears of errors
    const restored = await restoreBackup(db, linesOf(text));
    return reportRestored({ db, keys: config.keys, restored, terminal });
  });
}
