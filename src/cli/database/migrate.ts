import { breakingMigrations, migrate } from '../../server/platform/database/migrate.ts';
import { action, CommandError } from '../command.ts';
import { readSettings, withOwnedDatabase } from './with-store.ts';

export const command = action({ stopped: { type: 'boolean', default: false } }, ({ options, terminal }) =>
  withOwnedDatabase(readSettings(terminal), async (db) => {
    const breaking = await breakingMigrations(db);
    if (breaking.length > 0 && !options.stopped)
      throw new CommandError(
        `Servers of the version before cannot live with ${breaking.join(', ')}: stop them, and run this again with --stopped.`,
      );
    for (const name of await migrate(db)) terminal.out(`${name}\n`);
    terminal.out('The tables are up to date.\n');
  }),
);
