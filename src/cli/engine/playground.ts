import { join } from 'node:path';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { buildPlayground } from './build-playground.ts';

export const command: Command = {
  usage: `Usage:
  portal build playground    the engine's playground: a page in dist/playground, for any server of files
`,
  action: action({}, async ({ terminal }) => {
    const folder = join(root, 'dist/playground');
    await buildPlayground(root, folder);
    terminal.out(`${join(folder, 'index.html')}\n`);
  }),
};
