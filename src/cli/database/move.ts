import { systemClock } from '../../server/platform/base/clock.ts';
import { generateBackupLines } from '../../server/platform/database/backup.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { restoreBackup } from '../../server/platform/database/restore-backup.ts';
import { readAuditKeys } from '../../server/platform/keys/load-server-keys.ts';
import { createCliAction, CommandError } from '../command.ts';
import { printRestoreResult } from './restore-report.ts';
import { readServerConfig, withDatabase, withOwnerDatabase } from './with-store.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  const config = readServerConfig(terminal);
  if (config.databaseUrl === null) throw new CommandError('Set DATABASE_URL to the target PostgreSQL database.');
  return withDatabase({ folder: config.dataDir }, (source) =>
    withOwnerDatabase(config, async (target) => {
      if ((await listAppliedMigrations(source)).length === 0)
        throw new CommandError(`There is no embedded database in ${config.dataDir}: set DATA_DIR to its folder.`);
      const keys = await readAuditKeys(config.keys);
      const backup = generateBackupLines(source, systemClock.now(), keys[0]);
      return printRestoreResult(target, keys, await restoreBackup(target, backup, { digest: null }), terminal);
    }),
  );
});
