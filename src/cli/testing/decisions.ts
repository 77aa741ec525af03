import { action, type Command } from '../command.ts';
import { root } from '../project.ts';
import { decisionsOf, readDocuments } from './documents.ts';

export const command: Command = {
  usage: `Usage:
  portal decisions    the decision records of all modules
`,
  action: action({}, async ({ terminal }) => {
    const decisions = decisionsOf(await readDocuments(root));
    for (const { path, text } of decisions) terminal.out(`${path}\n    ${/^# (.*)$/m.exec(text)?.[1] ?? ''}\n`);
    terminal.out(`${decisions.length} decisions.\n`);
  }),
};
