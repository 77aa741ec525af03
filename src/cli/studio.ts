import { action, type Command } from './command.ts';
import { serveDevelopment } from './dev.ts';

export const command: Command = {
  usage: `Usage:
  portal studio    serves the studio to a team behind a proxy that signs its members in, and nobody else; src/studio/README.md says how
`,
  action: action({}, () => serveDevelopment({ team: true })),
};
