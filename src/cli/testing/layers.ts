import { join } from 'node:path';
import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { checkLayers } from './check-layers.ts';

export const command: Command = {
  usage: `Usage:
  portal layers    who imports whom against the rules of .dependency-cruiser.cjs
`,
  action: action({}, async ({ terminal }) => {
    const { failed, named } = await checkLayers(root, join(root, 'node_modules/.bin/depcruise'));
    if (named.length > 0) terminal.err(`${named.join('\n')}\n`);
    return failed === 0 ? 0 : 1;
  }),
};
