import { action, UsageError, type Command, type Given } from '../command.ts';
import { root } from '../project.ts';
import { listOf } from './changes-report.ts';
import { changesSince } from './changes-since.ts';
import { languageOption, readLanguage } from './language.ts';

export const command: Command = {
  usage: `Usage:
  portal definitions diff [COMMIT] [--lang es|en]
What screens, flows and texts say otherwise than in a commit; without one, than in the last. It ends with 1 when a change is breaking.
`,
  action: action(languageOption, diff),
};

async function diff({ words: [commit = 'HEAD'], options, terminal }: Given<typeof languageOption>): Promise<number> {
  const language = readLanguage(options.lang);
  const changes = await changesSince(root, commit);
  if (!changes) throw new UsageError(`There is no commit "${commit}" with definitions.`);
  terminal.out(listOf(changes, language));
  return changes.some(({ breaking }) => breaking) ? 1 : 0;
}
