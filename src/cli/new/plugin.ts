import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { readName, writeTemplates } from './write-templates.ts';

export const command: Command = {
  action: action({}, async ({ words, terminal }) => {
    const name = readName(words);
    const files = {
      'plugin/rule.ts': `plugins/${name}/rule.ts`,
      'plugin/texts.json': `plugins/${name}/texts.json`,
      'plugin/titles.json': `plugins/${name}/titles.json`,
      'plugin/README.md': `plugins/${name}/README.md`,
      'plugin/test.ts': `plugins/${name}/${name}.test.ts`,
    };
    for (const path of await writeTemplates(root, name, files)) terminal.out(`${path}\n`);
  }),
};
