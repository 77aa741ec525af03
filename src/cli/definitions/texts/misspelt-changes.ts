import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { isMistyped } from '../../../engine/compiler/lint/wording/misspelling-finder.ts';
import { removeAccents } from '../../../engine/compiler/lint/wording/words.ts';
import { explain } from '../localized-output.ts';
import type { ProjectText } from './read-project-texts.ts';
import type { TextChange } from './text-changes.ts';
import { toProblem } from './texts-outside-definitions.ts';

/**
 * Finds words that no other text contains and that replace a similar word, and notes words that have lost an accent. `listTexts` returns all texts of
 * the project.
 */
export async function findMisspeltChanges(
  changes: readonly TextChange[],
  language: string,
  listTexts: () => Promise<readonly ProjectText[]>,
): Promise<readonly DefinitionProblem[]> {
  const replaced = changes.flatMap(listReplacedWords);
  if (replaced.length === 0) return [];
  const words = (await listTexts()).flatMap((text) =>
    listWords(text.text).map((word) => `${text.language} ${word.toLowerCase()}`),
  );
  return replaced.flatMap(({ place, word, before }) => {
    const key = `${place.language} ${word.toLowerCase()}`;
    const severity = hasLostAccent(word, before) ? 'N' : 'W'; // the word without accent may also be right
    if (severity === 'W' && words.filter((own) => own === key).length > 1) return [];
    const fault = explain`This says "${word}", and said "${before}" before.
      Correct it if it is misspelt.`;
    return toProblem(place, { rule: 'text/spelling', severity, ...fault }, language);
  });
}

/** Returns the lines of a text in which only one word differs, by a typing mistake. */
function listReplacedWords(change: TextChange) {
  const linesBefore = change.before.split('\n');
  return change.text.split('\n').flatMap((line, number) => {
    const replaced = findReplacedWord(listWords(linesBefore[number] ?? ''), listWords(line));
    const place = change.pointer === '' ? { ...change, line: change.line + number } : change;
    return replaced && (isMistyped(replaced.word, replaced.before) || hasLostAccent(replaced.word, replaced.before))
      ? [{ place, ...replaced }]
      : [];
  });
}

function hasLostAccent(word: string, before: string): boolean {
  return word !== before && word === removeAccents(before);
}

/** Returns the only word that differs from the previous words, with the word that it replaces. */
export function findReplacedWord(previous: readonly string[], words: readonly string[]) {
  const at = words.findIndex((word, index) => word !== previous[index]);
  const [word, before] = [words[at], previous[at]];
  return word !== undefined && before !== undefined && previous.with(at, word).join(' ') === words.join(' ')
    ? { word, before }
    : null;
}

/** Omits placeholders, addresses and paths, which other checks read. */
function listWords(text: string): readonly string[] {
  return text.replaceAll(/\{+[^{}]*\}+|\S*[/@]\S*/g, ' ').match(/\p{L}+/gu) ?? [];
}

/** Rules whose findings are consequences of a change, by the rule of the change. */
const consequences: Readonly<Record<string, RegExp>> = {
  'text/spelling': /^text\//,
  'text/placeholder': /^text\/(?:limit|hours|number)$/,
  'text/pair': /^text\/pair$/,
};

/** Omits findings about a text, or about its translation, that a change of the text explains. */
export function omitConsequencesOfChanges(
  problems: readonly DefinitionProblem[],
  changes: readonly DefinitionProblem[],
): readonly DefinitionProblem[] {
  return problems.filter(({ rule = '', related = [], ...own }) => {
    const causes = changes.filter((change) => consequences[change.rule ?? '']?.test(rule));
    const isIn = (place: Pick<DefinitionProblem, 'file' | 'pointer'> & { readonly line?: number }) =>
      causes
        .flatMap((cause) => [cause, ...(cause.related ?? []).map((part) => ({ ...part, line: cause.line }))])
        .some(
          ({ file, pointer, line }) =>
            place.file === file && place.pointer === pointer && (pointer !== '' || (place.line ?? line) === line),
        );
    return ![own, ...related].some(isIn);
  });
}
