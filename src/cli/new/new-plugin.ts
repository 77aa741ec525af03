import { createScaffoldCommand } from './scaffold-command.ts';

/** Templates of each kind of plugin. The first kind is the default. */
const kinds = {
  rule: ['rule.ts', 'texts.json', 'titles.json', 'README.md', 'test.ts'],
  widget: ['widget.tsx', 'texts.json', 'titles.json', 'README.md', 'test.tsx'],
  format: ['rule.ts', 'texts.json', 'README.md', 'test.ts'],
  operator: ['rule.ts', 'README.md', 'test.ts'],
};

export const command = createScaffoldCommand(
  Object.fromEntries(
    Object.entries(kinds).map(([kind, files]) => [
      kind,
      Object.fromEntries(
        files.map((file) => [
          `plugin/${kind}/${file}`,
          `plugins/{{name}}/${file.startsWith('test.') ? `{{name}}.${file}` : file}`,
        ]),
      ),
    ]),
  ),
);
