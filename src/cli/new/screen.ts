import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { readName, writeTemplates } from './write-templates.ts';

export const command: Command = {
  action: action({}, async ({ words, terminal }) => {
    const name = readName(words);
    const files = {
      'screen/schema.json': `schemas/${name}/schema.json`,
      'screen/ui.json': `schemas/${name}/ui.json`,
      'screen/ui.pt.json': `schemas/${name}/ui.pt.json`,
      'screen/flow.json': `flows/${name}.json`,
      'screen/cases.json': `tests/fixtures/${name}.json`,
    };
    for (const path of await writeTemplates(root, name, files)) terminal.out(`${path}\n`);
  }),
};
