import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { action } from '../command.ts';
import { root } from '../project.ts';

export const command = action({}, async ({ terminal }) => {
  terminal.out(`${(await loadDefinitions(definitionOptions(root))).version}\n`);
});
