import type { DefinitionProblem } from '../../engine/compiler/definitions.ts';

/** Rules that compare texts, weakest first. A finding of another rule on the line explains theirs, unless it is of an earlier rule in this list. */
const comparingRules = ['text/outdated', 'text/incomplete', 'text/fact', 'text/same', 'text/pair'];

/** Rules whose finding about the same word makes the finding of another rule redundant. */
const explainingRules: Readonly<Record<string, string>> = {
  'text/name': 'text/button',
  'text/plain': 'text/spelling',
  'text/voice': 'text/spelling',
};

/**
 * Whether a finding about a text is only a consequence of another finding on its line, or of a mistake in the file of its original. Applies also to
 * wrong names of buttons.
 */
export function isExplained(
  { rule = '', file, line, message, related = [] }: DefinitionProblem,
  all: readonly DefinitionProblem[],
): boolean {
  const beside = all.filter((other) => other.rule !== rule && other.file === file && other.line === line);
  if (related.some((original) => all.some((other) => other.file === original.file && other.severity !== 'N')))
    return true;
  const weakerRules = comparingRules.slice(0, comparingRules.indexOf(rule));
  if (comparingRules.includes(rule)) return beside.some((other) => !weakerRules.includes(other.rule ?? ''));
  const [word = ''] = /"[^"]+"/.exec(message) ?? [];
  return beside.some((other) => other.rule === explainingRules[rule] && other.message.includes(word));
}
