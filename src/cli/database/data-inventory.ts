import { tables } from '../../server/app/topics.ts';
import { contentValues } from '../../server/features/content/content-values.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { dataPage } from '../../server/platform/topics/data-page.ts';
import { action } from '../command.ts';
import { readSettings } from './with-store.ts';

export const command = action({}, async ({ terminal }) => terminal.out(renderPage(readSettings(terminal))));

/** Renders the page for a configuration. `src/server/data.md` is the page for the default configuration. */
export function renderPage(config: Config): string {
  return dataPage({ tables, config, values: contentValues(config) });
}
