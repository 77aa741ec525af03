import { action, type Command } from './command.ts';
import { buildPortal } from './build-portal.ts';
import { root } from './project.ts';

export const command: Command = {
  usage: `Usage:
  portal build    builds what browsers load, whether or not something changed
`,
  action: action({}, () => buildPortal(root, { force: true })),
};
