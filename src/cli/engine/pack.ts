import { join } from 'node:path';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { packEngine } from './pack-engine.ts';

export const command: Command = {
  usage: `Usage:
  portal pack engine    the engine as a package of npm: a tarball in dist/engine
`,
  action: action({}, async ({ terminal }) => terminal.out(`${await packEngine(root, join(root, 'dist/engine'))}\n`)),
};
