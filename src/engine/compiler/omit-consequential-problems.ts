import { splitPointer } from '../core/json-pointer.ts';
import type { DefinitionProblem } from './definitions.ts';
import { groupBy } from '../core/json.ts';
import { localize, selectLocalizedText } from './sources/localized-text.ts';

/** Minimum number of files with equal problems at which only the first is reported, because all probably have the same cause. */
const minEqualFiles = 3;

/** Removes problems that disappear when another one is corrected, and equal problems of several files. */
export function omitConsequentialProblems(
  problems: readonly DefinitionProblem[],
  language: string,
): readonly DefinitionProblem[] {
  const left = problems.filter((problem) => !problems.some((other) => isConsequence(problem, other)));
  const groups = groupBy(left, ({ message, hint, severity }) => `${severity ?? ''} ${message} ${hint}`);
  return [...groups.values()].flatMap((equal) => {
    const [first] = equal;
    if (first === undefined || new Set(equal.map(({ file }) => file)).size < minEqualFiles) return equal;
    const others = selectLocalizedText(localize`Found in ${equal.length - 1} more places.`, language);
    return { ...first, hint: `${first.hint} ${others}` };
  });
}

function isConsequence(problem: DefinitionProblem, cause: DefinitionProblem): boolean {
  if (problem === cause) return false;
  const isWithin =
    `${problem.pointer}/`.startsWith(`${cause.pointer}/`) || cause.pointer.startsWith(`${problem.pointer}/`);
  if (problem.file === cause.file)
    return isTextWarning(problem) && cause.severity === 'E' && problem.pointer === cause.pointer;
  if (problem.file.replace(/\.\w+\.json$/, '.json') !== cause.file) return false; // only translations have a counterpart
  const [part] = splitPointer(cause.pointer);
  return problem.rule === undefined ? part !== undefined && part === splitPointer(problem.pointer)[0] : isWithin;
}

/** Whether a problem is about the words of a text. A text with an error is written again anyway. */
function isTextWarning({ rule, severity }: DefinitionProblem): boolean {
  return severity === 'W' && rule !== undefined && rule.startsWith('text/');
}
