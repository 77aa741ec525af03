import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { createDefinitionOptions } from '../../server/app/definition-options.ts';
import { createCliAction } from '../command.ts';
import { projectRoot } from '../project.ts';

export const command = createCliAction({}, async ({ terminal }) => {
  terminal.out(`${(await loadDefinitions(createDefinitionOptions(projectRoot))).version}\n`);
});
