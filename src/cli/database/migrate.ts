import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { breakingMigrations, migrate } from '../../server/platform/database/migrate.ts';
import { action, CommandError, type Command, type Invocation } from '../command.ts';
import { withOwnedDatabase } from './with-store.ts';

export const command: Command = {
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
