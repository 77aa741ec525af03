import { action, type Command } from './command.ts';
import { buildPortal } from './build-portal.ts';
import { root } from './project.ts';

export const command: Command = {
  usage: `Usage:
  portal start    builds what changed since the last build, then serves; src/server/README.md lists the settings
`,
  action: action({}, async () => {
    await buildPortal(root, { force: false });
    await import('../server/app/main.ts');
  }),
};
