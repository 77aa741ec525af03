import { tables } from '../../server/app/topics.ts';
import { contentValues } from '../../server/features/content/content-values.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { readConfig } from '../../server/platform/config/read-config.ts';
import { readEnvironment } from '../../server/platform/config/read-environment.ts';
import { dataPage } from '../../server/platform/topics/data-page.ts';
import { action, type Command } from '../command.ts';

export const command: Command = {
  action: action({}, async ({ terminal }) => terminal.out(renderPage(readConfig(readEnvironment(terminal.env))))),
};

/** Renders the page for a configuration. `src/server/data.md` is the page of the default one. */
export function renderPage(config: Config): string {
  return dataPage({ tables, config, values: contentValues(config) });
}
