import { DefinitionError, type Problem } from '../../engine/compiler/definitions.ts';
import { loadDefinitions } from '../../engine/compiler/load-definitions.ts';
import { analysisOptions } from '../../server/app/lint-options.ts';
import { definitionOptions } from '../../server/app/definition-options.ts';
import { action, UsageError, type Command, type Given } from '../command.ts';
import { root } from '../project.ts';
import { listOf } from './changes-report.ts';
import { compareWithCommit } from './changes-since.ts';
import { languageOption, readLanguage } from './language.ts';
import { reviewComment } from './review-comment.ts';

const options = { markdown: { type: 'boolean', default: false }, ...languageOption } as const;

export const command: Command = {
  usage: `Usage:
  portal definitions diff [COMMIT] [--markdown] [--lang es|en]
Lists what changed in screens, flows and texts since a commit, by default the last one. Exits with 1 if a change is breaking.
With --markdown it prints a comment for a review, with the screens that change and the findings of the checker.
`,
  action: action(options, diff),
};

async function diff({ words: [commit = 'HEAD'], options: given, terminal }: Given<typeof options>): Promise<number> {
  const language = readLanguage(given.lang);
  const comparison = await compareWithCommit(root, commit);
  if (!comparison) throw new UsageError(`There is no commit "${commit}" with definitions.`);
  const { changes } = comparison;
  terminal.out(
    given.markdown ? reviewComment(comparison, await findingsNow(language), language) : listOf(changes, language),
  );
  return changes.some(({ breaking }) => breaking) ? 1 : 0;
}

async function findingsNow(language: 'es' | 'en'): Promise<readonly Problem[]> {
  try {
    return (await loadDefinitions({ ...definitionOptions(root), analysis: analysisOptions(root), language })).findings;
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}
