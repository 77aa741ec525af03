import { root } from './project.ts';
import { nameArgument, writeTemplates } from './write-templates.ts';

const name = nameArgument('npm run new:screen NAME');
await writeTemplates(root, name, {
  'screen/schema.json': `schemas/${name}/schema.json`,
  'screen/ui.json': `schemas/${name}/ui.json`,
  'screen/ui.pt.json': `schemas/${name}/ui.pt.json`,
  'screen/flow.json': `flows/${name}.json`,
  'screen/cases.json': `tests/fixtures/${name}.json`,
});
