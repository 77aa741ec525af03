import { root } from './project.ts';
import { nameArgument, writeTemplates } from './write-templates.ts';

const name = nameArgument('npm run new:plugin NAME');
await writeTemplates(root, name, {
  'plugin/rule.ts': `plugins/${name}/rule.ts`,
  'plugin/texts.json': `plugins/${name}/texts.json`,
  'plugin/README.md': `plugins/${name}/README.md`,
  'plugin/test.ts': `plugins/${name}/${name}.test.ts`,
});
