import { splitPointer } from '../core/json-pointer.ts';
import type { DefinitionProblem } from './definitions.ts';
import { groupBy } from '../core/json.ts';
import { localize, selectLocalizedText } from './sources/localized-text.ts';

/** Minimum number of files with equal problems at which only the first is reported, because all probably have the same cause. */
const minEqualFiles = 3;

/** Number of words of another language in a file from which the complete file is probably in that language. */
const minForeignTexts = 3;

/** Removes problems that disappear when another one is corrected, and equal problems of several files. */
export function omitConsequentialProblems(
  problems: readonly DefinitionProblem[],
  language: string,
): readonly DefinitionProblem[] {
  const ownProblems = problems.filter((problem) => !problems.some((other) => isConsequence(problem, other)));
  const left = joinForeignTexts(ownProblems, language);
  const groups = groupBy(left, ({ message, severity }) => `${severity ?? ''} ${message}`);
  return [...groups.values()].flatMap((equal) => {
    const [first] = equal;
    if (first === undefined || new Set(equal.map(({ file }) => file)).size < minEqualFiles) return equal;
    return addPlaces(first, equal.length - 1, language);
  });
}

function addPlaces(problem: DefinitionProblem, count: number, language: string): DefinitionProblem {
  const others = selectLocalizedText(localize`Found in ${count} more places.`, language);
  return { ...problem, hint: `${problem.hint} ${others}` };
}

/** If a file is probably in another language, keeps one warning in place of all warnings about its texts. */
function joinForeignTexts(problems: readonly DefinitionProblem[], language: string): readonly DefinitionProblem[] {
  const isForeign = ({ rule }: DefinitionProblem) => rule === 'text/language' || rule === 'text/same';
  return [...groupBy(problems, ({ file }) => file).values()].flatMap((own) => {
    const foreign = own.filter(isForeign);
    const first = foreign.find(({ rule }) => rule === 'text/language');
    if (foreign.length < minForeignTexts || !first) return own;
    return own.flatMap((problem) => {
      if (problem === first) return addPlaces(first, foreign.length - 1, language);
      return isForeign(problem) || isTextWarning(problem) ? [] : problem;
    });
  });
}

function isConsequence(problem: DefinitionProblem, cause: DefinitionProblem): boolean {
  if (problem === cause) return false;
  const isWithin =
    `${problem.pointer}/`.startsWith(`${cause.pointer}/`) || cause.pointer.startsWith(`${problem.pointer}/`);
  if (problem.file === cause.file)
    return (
      isTextWarning(problem) &&
      cause.severity === 'E' &&
      problem.pointer === cause.pointer &&
      problem.line === cause.line // also compares lines, because texts of mails and pages have no pointer
    );
  // a cause in another file can only be in the original of a translation
  if (problem.file.replace(/\.\w+\.json$/, '.json') !== cause.file) return false;
  const [part] = splitPointer(cause.pointer);
  return problem.rule === undefined ? part !== undefined && part === splitPointer(problem.pointer)[0] : isWithin;
}

/** Whether a problem is a warning about the wording of a text. It is not reported beside an error in this text, which has to be rewritten anyway. */
function isTextWarning({ rule, severity }: DefinitionProblem): boolean {
  return severity === 'W' && rule !== undefined && rule.startsWith('text/');
}
