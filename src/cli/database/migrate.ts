import { listBreakingMigrations, migrate } from '../../server/platform/database/migrate.ts';
import { createAction, CommandError } from '../command.ts';
import { readSettings, withOwnerDatabase } from './with-store.ts';

export const command = createAction({ stopped: { type: 'boolean', default: false } }, ({ options, terminal }) =>
  withOwnerDatabase(readSettings(terminal), async (db) => {
    const breaking = await listBreakingMigrations(db);
    if (breaking.length > 0 && !options.stopped)
      throw new CommandError(
        `Servers of the previous version do not work with ${breaking.join(', ')}: stop them, and run this again with --stopped.`,
      );
    for (const name of await migrate(db)) terminal.out(`${name}\n`);
    terminal.out('The tables are up to date.\n');
  }),
);
