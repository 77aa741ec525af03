import { listBreakingMigrations, runMigrations } from '../../server/platform/database/migrate.ts';
import { createCliAction, CommandError } from '../command.ts';
import { readServerConfig, withOwnerDatabase } from './with-store.ts';

export const command = createCliAction({ stopped: { type: 'boolean', default: false } }, ({ options, terminal }) =>
  withOwnerDatabase(readServerConfig(terminal), async (db) => {
    const breaking = await listBreakingMigrations(db);
    if (breaking.length > 0 && !options.stopped)
      throw new CommandError(
        `Servers of the previous version do not work with ${breaking.join(', ')}: stop them, and run this again with --stopped.`,
      );
    for (const name of await runMigrations(db)) terminal.out(`${name}\n`);
    terminal.out('The tables are up to date.\n');
  }),
);
