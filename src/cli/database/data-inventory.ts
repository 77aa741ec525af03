import { databaseTableDescriptions } from '../../server/app/server-modules.ts';
import { computeContentPlaceholderValues } from '../../server/features/content/content-placeholder-values.ts';
import type { Config } from '../../server/platform/config/config.ts';
import { renderStoredDataPage } from '../../server/platform/modules/stored-data-page.ts';
import { createCliAction } from '../command.ts';
import { readServerConfig } from './with-store.ts';

export const command = createCliAction({}, async ({ terminal }) =>
  terminal.out(renderDataInventory(readServerConfig(terminal))),
);

/** Renders Markdown. `src/server/data.md` is the inventory of the default configuration. */
export function renderDataInventory(config: Config): string {
  return renderStoredDataPage({
    tables: databaseTableDescriptions,
    config,
    values: computeContentPlaceholderValues(config),
  });
}
