import type { DefinitionProblem } from '../../engine/compiler/definitions.ts';

/** Rules that compare texts, weakest first. A finding of another rule on the line explains theirs, unless it is of an earlier rule in this list. */
const comparingRules = ['text/outdated', 'text/incomplete', 'text/fact', 'text/same', 'text/pair'];

/** Rules about the words of a text. Redundant if the text is in the wrong language. */
const wordRules = 'advice blame button language limit name number plain plural spelling voice'
  .split(' ')
  .map((name) => `text/${name}`);

/** Rules whose finding about the same word makes the finding of another rule redundant. */
const explainingRules: Readonly<Record<string, string>> = {
  'text/name': 'text/button',
  'text/plain': 'text/spelling',
  'text/voice': 'text/spelling',
};

/** Rules about a handwritten value, which is redundant if the mail lacks the placeholder of the value. */
const valueRules = ['text/limit', 'text/hours'];

/** Whether a finding is about the words of an original, or about its file. Missing advice does not explain why the translation is older. */
function isMistakeInOriginal(
  { rule = '', file, pointer, severity }: DefinitionProblem,
  original: Pick<DefinitionProblem, 'file' | 'pointer'>,
): boolean {
  if (file !== original.file || severity === 'N' || rule === 'text/advice') return false;
  return !wordRules.includes(rule) || pointer === original.pointer;
}

/** Returns the path of a mail without its language. Returns `undefined` for other files. */
function getMailName(file: string): string | undefined {
  return /^(.*)\.\w+\.txt$/.exec(file)?.[1];
}

/**
 * Whether a finding about a text is only a consequence of another finding on its line, or of a mistake in the file of its original. Applies also to
 * wrong names of buttons.
 */
export function isExplained(
  { rule = '', file, line, message, related = [] }: DefinitionProblem,
  all: readonly DefinitionProblem[],
): boolean {
  const beside = all.filter((other) => other.rule !== rule && other.file === file && other.line === line);
  if (related.some((original) => all.some((other) => isMistakeInOriginal(other, original)))) return true;
  const mail = getMailName(file);
  if (valueRules.includes(rule) && mail !== undefined)
    return all.some((other) => other.rule === 'text/placeholder' && getMailName(other.file) === mail);
  const weakerRules = [
    ...comparingRules.slice(0, comparingRules.indexOf(rule)),
    ...(rule === 'text/same' ? wordRules : []),
  ];
  if (comparingRules.includes(rule)) return beside.some((other) => !weakerRules.includes(other.rule ?? ''));
  const languageRules = ['text/same', ...(rule === 'text/language' ? [] : ['text/language'])];
  if (wordRules.includes(rule) && beside.some((other) => languageRules.includes(other.rule ?? ''))) return true;
  const [word = ''] = /"[^"]+"/.exec(message) ?? [];
  return beside.some((other) => other.rule === explainingRules[rule] && other.message.includes(word));
}
