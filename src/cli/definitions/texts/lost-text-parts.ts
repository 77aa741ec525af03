import { basename } from 'node:path';
import type { DefinitionProblem } from '../../../engine/compiler/definitions.ts';
import { explain, localize } from '../localized-output.ts';
import { alignTexts } from './paragraphs.ts';
import type { ProjectText } from './read-project-texts.ts';
import type { TextChange } from './text-changes.ts';
import { toProblem } from './texts-outside-definitions.ts';

/** Finds placeholders that a number has replaced in all languages. `base` is the first language, and `counts` has its numerals. */
export function findReplacedPlaceholders(
  changes: readonly TextChange[],
  { base, counts = [] }: { readonly base: string; readonly counts?: readonly string[] | undefined },
  language: string,
): readonly DefinitionProblem[] {
  return changes
    .filter((change) => change.language === base)
    .flatMap((change) => {
      const { file, before, text, others } = change;
      const lost = listReplacedPlaceholders(before, text, counts).filter(([placeholder]) =>
        others.every((other) => !other.text.includes(placeholder)),
      );
      if (lost.length === 0) return [];
      const [placeholders, numbers] = [0, 1].map((index) => lost.map((pair) => pair[index]).join(', '));
      const names = others.map((other) => getName(other, file)).join(', ');
      const fault = explain`This said ${placeholders ?? ''}, and now "${numbers ?? ''}"${names === '' ? '' : localize`, as does ${names}`}: everybody reads the same value.
        Write ${placeholders ?? ''} again, in every language.`;
      const related = others.map(({ file: path, pointer }) => ({ file: path, pointer }));
      return { ...toProblem(change, { rule: 'text/placeholder', ...fault }, language), related };
    });
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

/** Returns the name of the file of a translation, or its language if the file has the same name as that of the original. */
function getName({ file, language }: ProjectText, original: string): string {
  return basename(file) === basename(original) ? `"${language}"` : basename(file);
}
