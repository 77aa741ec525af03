import { basename } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { explain, localize } from '../localized-output.ts';
import { alignTexts } from './paragraphs.ts';
import type { ProjectText } from './read-project-texts.ts';
import { hasPropertyChanged, type TextChange } from './text-changes.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** Tables of texts with placeholders that code fills. Other checks know the values of screens and mails. */
const codeTablePattern = /^(?:schemas\/_shared\/(?:texts\/.+|messages[\w.-]*)|plugins\/[\w-]+\/texts)\.json$/;

/**
 * Finds placeholders that a number has replaced in all languages, and those that a text for code has lost, unless the code that fills them has changed too.
 * `base` is the first language, and `counts` has its numerals.
 */
export function findLostPlaceholders(
  root: string,
  changes: readonly TextChange[],
  { base, counts = [] }: { readonly base: string; readonly counts?: readonly string[] | undefined },
  language: string,
): readonly DefinitionProblem[] {
  return changes.flatMap((change) => {
    const { file, before, text, others } = change;
    const isBase = change.language === base;
    const listOthers = (placeholder: string) => others.filter((other) => listBraces(other.text).includes(placeholder));
    const replaced = (isBase ? listReplacedPlaceholders(before, text, counts) : []).filter(
      ([placeholder]) => listOthers(placeholder).length === 0,
    );
    const [old, current] = [listBraces(before), listBraces(text)];
    const added = current.filter((own) => !old.includes(own));
    const lost = codeTablePattern.test(file) ? old.filter((own) => !current.includes(own)) : [];
    const faults = lost.flatMap((placeholder, index) => {
      const remaining = listOthers(placeholder);
      const isReported = remaining.length === 0 && (!isBase || replaced.some(([own]) => own === placeholder));
      if (isReported || (remaining.length === 0 && hasPropertyChanged(root, placeholder.replaceAll(/\W/g, ''))))
        return [];
      return [explainLostPlaceholder(placeholder, added[index], listNames(remaining, file))];
    });
    const related = others.map(({ file: path, pointer }) => ({ file: path, pointer }));
    return [...(replaced.length > 0 ? [explainReplaced(replaced, listNames(others, file))] : []), ...faults].map(
      (fault) => ({ ...toProblem(change, { rule: 'text/placeholder', ...fault }, language), related }),
    );
  });
}

function explainReplaced(replaced: readonly (readonly [string, string])[], names: string) {
  const [placeholders, numbers] = [0, 1].map((index) => replaced.map((pair) => pair[index]).join(', '));
  return explain`This said ${placeholders ?? ''}, and now "${numbers ?? ''}"${names === '' ? '' : localize`, as does ${names}`}: everybody reads the same value.
    Write ${placeholders ?? ''} again, in every language.`;
}

/** `names` has the files that still contain the placeholder. */
function explainLostPlaceholder(placeholder: string, instead: string | undefined, names: string) {
  if (names === '' && instead === undefined)
    return explain`This text said ${placeholder} before, and now no language does.
      Write it again, or ask a programmer for the change.`;
  const others = names === '' ? '' : localize`, as does ${names}`;
  const message =
    instead === undefined
      ? localize`${placeholder} is missing: this text said it before${others}.`
      : localize`${instead} is not a value of this text, which said ${placeholder} before${others}.`;
  const hint =
    names === '' ? localize`Write ${placeholder} again, in every language.` : localize`Write ${placeholder}.`;
  return { message, hint };
}

/** Replaces errors about the placeholders of a text that differ between languages with the finding about the language that has changed. */
export function explainByLostPlaceholders(
  problems: readonly DefinitionProblem[],
  lost: readonly DefinitionProblem[],
): readonly DefinitionProblem[] {
  const isExplained = (problem: DefinitionProblem, { file, pointer, related = [], message }: DefinitionProblem) =>
    listBraces(message).some((own) => new RegExp(String.raw`\b${own.slice(1, -1)}\b`).test(problem.message)) &&
    [{ file, pointer }, ...related].some((place) => place.file === problem.file && place.pointer === problem.pointer);
  const causes = lost.filter((cause) => problems.some((problem) => isExplained(problem, cause)));
  return [
    ...problems.filter((problem) => !causes.some((cause) => isExplained(problem, cause))),
    ...causes.map((cause) => ({ ...cause, severity: 'E' as const })),
  ];
}

function listBraces(text: string): readonly string[] {
  return [...new Set(text.match(/\{+\w+\}+/g))];
}

/** Returns the placeholders with a number in their place, beside a word that is the same. */
function listReplacedPlaceholders(before: string, text: string, counts: readonly string[]) {
  const [old, current] = [before, text].map((own) => own.match(/\{+\w+\}+|\d+(?:[.,:/]\d+)*|\p{L}+/gu) ?? []);
  if (!old || !current) return [];
  const isReplaced = (word: string, other: string) =>
    word.startsWith('{') && (/^\d/.test(other) || counts.includes(other.toLowerCase()));
  const pairs = alignTexts(old, current, (word, other) => (word === other ? 1 : isReplaced(word, other) ? 0.5 : 0));
  return [...pairs].flatMap(([index, other]) => {
    const [placeholder = '', number = ''] = [old[index], current[other]];
    const isBesideSame = [-1, 1].some(
      (step) => pairs.get(index + step) === other + step && old[index + step] === current[other + step],
    );
    return isBesideSame && isReplaced(placeholder, number) ? [[placeholder, number] as const] : [];
  });
}

/** Finds lines that have lost their final period in one language. */
export function findLostPeriods(changes: readonly TextChange[], language: string): readonly DefinitionProblem[] {
  return changes.flatMap((change) => {
    const { text, before, others, pointer, file } = change;
    const [lines, linesBefore] = [splitLines(text), splitLines(before)];
    return lines.flatMap((line, index) => {
      const other = others.find((own) => splitLines(own.text)[index]?.endsWith('.'));
      if (!other || !linesBefore[index]?.endsWith('.') || !/[\p{L}\p{N})}*»”]$/u.test(line)) return [];
      const fault = explain`The final period is missing: the text ended with one before, and so does that of ${getName(other, file)}.
        Write it, or remove it there too.`;
      const place = pointer === '' ? { ...change, line: change.line + index } : change;
      return toProblem(place, { rule: 'text/pair', ...fault }, language);
    });
  });
}

/** Omits the condition at the end of a line of a help page. */
function splitLines(text: string): readonly string[] {
  return text.split('\n').map((line) => line.replace(/\s*(?:\{si \w+\})?\s*$/, ''));
}

function listNames(texts: readonly ProjectText[], original: string): string {
  return texts.map((text) => getName(text, original)).join(', ');
}

/** Returns the name of the file of a translation, or its language if the file has the same name as that of the original. */
function getName({ file, language }: ProjectText, original: string): string {
  return basename(file) === basename(original) ? `"${language}"` : basename(file);
}
