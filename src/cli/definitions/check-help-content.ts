import { getThrownProblems, type DefinitionProblem } from '../../engine/compiler/definitions.ts';
import { contentFolder } from '../../server/features/content/content-file.ts';
import { loadLocalizedContent } from '../../server/features/content/open-content.ts';
import { findBaseCommit, listChangedFiles } from '../git.ts';

export interface HelpContentCheckResult {
  readonly pages: number;
  readonly questions: number;
  readonly languages: number;
  readonly problems: readonly DefinitionProblem[];
}

/** Bundled as a separate program that runs only after changes, because loading the server's packages takes half the time of a check. */
export async function checkHelpContent(
  options: Parameters<typeof loadLocalizedContent>[0],
): Promise<HelpContentCheckResult> {
  try {
    const changedFiles = listChangedFiles(options.root, findBaseCommit(options.root), [contentFolder]) ?? [];
    const all = Object.values(await loadLocalizedContent({ ...options, changedFiles }));
    const questions = all.flatMap(({ categories }) => categories.flatMap((category) => category.questions));
    const pages = all.flatMap((own) => own.pages);
    return { pages: pages.length, questions: questions.length, languages: all.length, problems: [] };
  } catch (error) {
    return { pages: 0, questions: 0, languages: 0, problems: getThrownProblems(error) };
  }
}
