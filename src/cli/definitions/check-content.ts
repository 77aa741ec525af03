import { DefinitionError, type DefinitionProblem } from '../../engine/compiler/definitions.ts';
import type { PageRoute } from '../../engine/core/manifest.ts';
import { loadContent } from '../../server/features/content/open-content.ts';

/** Result of the check: the numbers of pages, questions and languages, and the problems. */
export interface ContentCheckResult {
  readonly pages: number;
  readonly questions: number;
  readonly languages: number;
  readonly problems: readonly DefinitionProblem[];
}

interface Options {
  readonly root: string;
  readonly routes: readonly PageRoute[];
  readonly languages: readonly string[];
  readonly language: string;
}

/**
 * Checks the help and the information pages. Separate program, because loading the server's packages would take half of
 * the time of a check.
 */
export async function checkContent(options: Options): Promise<ContentCheckResult> {
  try {
    const all = Object.values(await loadContent(options));
    const questions = all.flatMap(({ categories }) => categories.flatMap((category) => category.questions));
    const pages = all.flatMap((own) => own.pages);
    return { pages: pages.length, questions: questions.length, languages: all.length, problems: [] };
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error;
    return { pages: 0, questions: 0, languages: 0, problems: error.problems };
  }
}
