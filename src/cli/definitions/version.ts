import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';

export const command: Command = {
  usage: `Usage:
  portal definitions    the version of the screens and flows here, which /readyz names of a server that runs them
`,
  action: action({}, async ({ terminal }) => {
    terminal.out(`${(await loadDefinitions(definitionOptions(root))).version}\n`);
  }),
};
