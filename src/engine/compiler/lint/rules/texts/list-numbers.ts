import { findByPointer } from '../../../../core/json-pointer.ts';
import { groupBy, isObject } from '../../../../core/json.ts';
import type { TextLintInput } from '../../lint-input.ts';
import { createFindingAt, createTextsLintRule, type LintFinding } from '../../lint-rule.ts';
import { listTextsByFile, type LocatedText } from '../../wording/list-located-texts.ts';
import { findListNumberFault } from '../../wording/list-numbers.ts';

/** Matches the number of a list item at the beginning of a text: "2. ". */
export const listNumberPattern = /^(\d{1,2})\.(?= )/;

/** Checks the numbers of texts that follow each other, for example in "intro". */
export const listNumberLintRule = createTextsLintRule('text/number', 'W', (subject: TextLintInput) =>
  subject.set.languages.flatMap((language) =>
    listTextsByFile(language, subject).flatMap(([, texts]) =>
      [...groupBy(texts, ({ origin }) => origin.pointer.replace(/\/\d+(?=\/|$)/, '/')).values()].flatMap((group) =>
        splitLists(group).flatMap(checkNumbers),
      ),
    ),
  ),
);

/** Returns the numbered texts of a group. A number 1 after a text without a number begins another list. */
function splitLists(texts: readonly LocatedText[]): readonly (readonly LocatedText[])[] {
  const lists: LocatedText[][] = [];
  for (const [index, text] of texts.entries()) {
    const number = readNumber(text);
    if (Number.isNaN(number)) continue;
    const isAfterNumber = index > 0 && !Number.isNaN(readNumber(texts[index - 1]));
    if (lists.length === 0 || (number === 1 && !isAfterNumber)) lists.push([]);
    lists.at(-1)?.push(text);
  }
  return lists;
}

function readNumber(text: LocatedText | undefined): number {
  return Number(listNumberPattern.exec(text?.text ?? '')?.[1]);
}

function checkNumbers(list: readonly LocatedText[]): readonly LintFinding[] {
  const fault = findListNumberFault(list.map(readNumber));
  const wrong = fault && list[fault.at];
  if (!wrong || list.some(isConditional)) return []; // conditional items may share a number
  const { file, pointer, text } = wrong;
  return [createFindingAt({ file, pointer, value: text.replace(/^\d+/, String(fault.expected)) })(fault)];
}

function isConditional({ origin }: LocatedText): boolean {
  const item = findByPointer(origin.file.value, origin.pointer.replace(/\/text$/, ''));
  return isObject(item) && item['visible'] !== undefined;
}
