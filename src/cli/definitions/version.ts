import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';

export const command: Command = {
  action: action({}, async ({ terminal }) => {
    terminal.out(`${(await loadDefinitions(definitionOptions(root))).version}\n`);
  }),
};
