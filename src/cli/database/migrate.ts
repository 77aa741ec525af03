import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { breakingMigrations, migrate } from '../../server/platform/database/migrate.ts';
import { action, CommandError, type Command, type Invocation } from '../command.ts';
import { databaseUsage, withOwnedDatabase } from './with-store.ts';

export const command: Command = {
  usage: `Usage:
  portal migrate [--stopped]    brings the tables up to date before the servers of a new version start

One process at a time does it. A start does it as well, but on PostgreSQL not where a migration is one that servers of the version before cannot live
with: that runs with --stopped alone. Stop them first. With DATABASE_OWNER_URL, that role migrates, and the role of DATABASE_URL gets its rights.
${databaseUsage}`,
  action: action({ stopped: { type: 'boolean', default: false } }, bringUpToDate),
};

function bringUpToDate({
  options: { stopped },
  terminal,
}: Invocation<{ stopped: { type: 'boolean' } }>): Promise<void> {
  return withOwnedDatabase(readConfig(readEnvironment(terminal.env)), async (db) => {
    const breaking = await breakingMigrations(db);
    if (breaking.length > 0 && !stopped)
      throw new CommandError(
        `Servers of the version before cannot live with ${breaking.join(', ')}: stop them, and run this again with --stopped.`,
      );
    for (const name of await migrate(db)) terminal.out(`${name}\n`);
    terminal.out('The tables are up to date.\n');
  });
}
