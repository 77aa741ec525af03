import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createAction } from '../command.ts';
import { root } from '../project.ts';

export const command = createAction({}, async ({ terminal }) => {
  terminal.out(`${(await loadDefinitions(createDefinitionOptions(root))).version}\n`);
});
