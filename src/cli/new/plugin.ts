import { createNewCommand } from './write-templates.ts';

export const command = createNewCommand({
  'plugin/rule.ts': 'plugins/{{name}}/rule.ts',
  'plugin/texts.json': 'plugins/{{name}}/texts.json',
  'plugin/titles.json': 'plugins/{{name}}/titles.json',
  'plugin/README.md': 'plugins/{{name}}/README.md',
  'plugin/test.ts': 'plugins/{{name}}/{{name}}.test.ts',
});
