import { findMailProblems } from '../../cli/definitions/texts/mail-text-problems.ts';
import { findTextTableProblems } from '../../cli/definitions/texts/text-table-problems.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import {
  getThrownProblems,
  type ServedDefinitions,
  type DefinitionProblem,
  type FileTextOverrides,
} from '../../engine/compiler/definitions.ts';
import { loadLocalizedContent } from '../../server/features/content/open-content.ts';
import { helpPagePathPattern, isMailFile } from './list-mails-and-help-pages.ts';

/** Returns the new problems that changed texts cause in mails and help pages. `definitions` has the paths to which help pages may link. */
export async function findMailAndHelpPageProblems(
  root: string,
  texts: FileTextOverrides,
  definitions: ServedDefinitions | null,
): Promise<readonly DefinitionProblem[]> {
  const mails = [...texts.keys()].filter(isMailFile);
  const find = async (changed: FileTextOverrides) => [
    ...(mails.length > 0 ? await findMailProblems(root, baseLanguage, baseLanguage, {}, changed) : []),
    ...(mails.length > 0 ? await findTextTableProblems(root, languages, baseLanguage, changed) : []),
    ...(definitions && [...texts.keys()].some((file) => helpPagePathPattern.test(file))
      ? await findHelpProblems(root, definitions, changed)
      : []),
  ];
  const createKey = ({ file, message }: DefinitionProblem): string => `${file} ${message}`;
  const known = new Set((await find(new Map())).map(createKey));
  return (await find(texts)).filter((problem) => !known.has(createKey(problem)));
}

function findHelpProblems(root: string, definitions: ServedDefinitions, texts: FileTextOverrides) {
  const { routes } = definitions.manifest(baseLanguage);
  const content = loadLocalizedContent({ root, routes, languages, language: baseLanguage, texts });
  return content.then(() => [], getThrownProblems);
}
