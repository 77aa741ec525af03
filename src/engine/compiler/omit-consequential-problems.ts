import { splitPointer } from '../core/json-pointer.ts';
import type { DefinitionProblem } from './definitions.ts';
import { groupBy } from '../core/json.ts';
import { localize, selectLocalizedText } from './sources/localized-text.ts';

/** Minimum number of files with equal problems at which they are reported as one, because all probably have the same cause. */
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
    if (new Set(equal.map(({ file }) => file)).size >= minEqualFiles) return joinEqual(equal, language);
    // equal errors in a flow name the same unknown state, but those in other files are in different fields
    const ofFlows = groupBy(equal, ({ file, hint, rule }) =>
      rule === undefined && file.startsWith('flows/') ? `${file} ${hint}` : '',
    );
    return [...ofFlows].flatMap(([key, own]) => (key === '' ? own : joinEqual(own, language)));
  });
}

/** Maximum number of places that one problem lists. */
const maxPlaces = 6;

/** Returns the first of several equal problems, with the places of the others. */
function joinEqual([first, ...others]: readonly DefinitionProblem[], language: string): readonly DefinitionProblem[] {
  if (!first) return [];
  if (others.length === 0) return [first];
  const places = others.slice(0, maxPlaces).map(({ file, line }) => `${file}:${line}`);
  const rest = others.length - places.length;
  const listed = places.join(', ');
  const more = rest > 0 ? localize`Also in ${listed} and ${rest} more.` : localize`Also in ${listed}.`;
  return [{ ...first, hint: `${first.hint} ${selectLocalizedText(more, language)}` }];
}

/** Joins the warnings about the untranslated texts of a file. If the file is probably in another language, omits all other warnings about its texts. */
function joinForeignTexts(problems: readonly DefinitionProblem[], language: string): readonly DefinitionProblem[] {
  const isForeign = ({ rule }: DefinitionProblem) => rule === 'text/language' || rule === 'text/same';
  return [...groupBy(problems, ({ file }) => file).values()].flatMap((own) => {
    const foreign = own.filter(isForeign);
    const first = foreign.find(({ rule }) => rule === 'text/language') ?? foreign[0];
    if (foreign.length < minForeignTexts || !first) return own;
    return own.flatMap((problem) => {
      if (problem === first) return joinEqual([first, ...foreign.filter((other) => other !== first)], language);
      return isForeign(problem) || (first.rule === 'text/language' && isTextWarning(problem)) ? [] : problem;
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
