import { tables } from '../../server/app/topics.ts';
import { computeContentValues } from '../../server/features/content/content-values.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { renderDataPage } from '../../server/platform/topics/data-page.ts';
import { createAction } from '../command.ts';
import { readSettings } from './with-store.ts';

export const command = createAction({}, async ({ terminal }) =>
  terminal.out(renderDataInventory(readSettings(terminal))),
);

/**
 * Renders the data inventory of a configuration. `src/server/data.md` is the inventory of the default configuration.
 */
export function renderDataInventory(config: Config): string {
  return renderDataPage({ tables, config, values: computeContentValues(config) });
}
