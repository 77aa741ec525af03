import { systemClock } from '../../server/platform/base/clock.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { readBackup } from '../../server/platform/database/backup.ts';
import { listAppliedMigrations } from '../../server/platform/database/migrate.ts';
import { restoreBackup } from '../../server/platform/database/restore.ts';
import { action, CommandError, type Command, type Invocation } from '../command.ts';
import { readAuditKeys } from '../../server/platform/keys/load-keys.ts';
import { createSigner } from './with-keys.ts';
import { reportRestored } from './report-restored.ts';
import { withDatabase, withOwnedDatabase } from './with-store.ts';

export const command: Command = {
  action: action({}, move),
};

function move({ terminal }: Invocation): Promise<number> {
  const config = readConfig(readEnvironment(terminal.env));
  if (config.databaseUrl === null)
    throw new CommandError('Set DATABASE_URL to the PostgreSQL database that the data go to.');
  return withDatabase({ folder: config.dataDir }, (source) =>
    withOwnedDatabase(config, async (target) => {
      if ((await listAppliedMigrations(source)).length === 0)
        throw new CommandError(`There is no embedded database in ${config.dataDir}: set DATA_DIR to its folder.`);
      const [key] = await readAuditKeys(config.keys);
      const restored = await restoreBackup(target, readBackup(source, systemClock.now(), createSigner(key)), {
        digest: null,
      });
      return reportRestored({ db: target, keys: config.keys, restored, terminal });
    }),
  );
}
