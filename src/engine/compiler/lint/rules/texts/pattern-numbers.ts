import { createWordFinder } from '../../wording/words.ts';
import { countPatternParts } from '../../../sources/regexp-analysis.ts';
import { explain } from '../../../sources/localized-text.ts';
import { checkEachFieldWith, createFindingAt } from '../../lint-rule.ts';

/** Pattern of a number of things, as in "4 cifras". */
const countedNumber = /(?<![\p{L}\d.,:/{-])[1-9]\d*(?=\s+\p{L})/gu;

/** Reports messages of patterns with a number of characters that the pattern does not have. */
export const reportOtherPatternNumbers = checkEachFieldWith(function* (field, { contract }) {
  const { name, schema, screen, locateMessage } = field;
  const { pattern } = schema;
  for (const [language, ui] of typeof pattern === 'string' ? screen.uis : []) {
    const { example = [] } = contract.wording?.[language] ?? {};
    const text = ui.messages?.[name]?.['pattern'] ?? '';
    const [found] = createWordFinder(example)(text);
    const numbers = [...text.slice(0, found?.at).matchAll(countedNumber)].map(([number]) => Number(number));
    const counts = numbers.length > 0 ? countPatternParts(String(pattern)) : null;
    if (!counts) continue;
    const literals = (String(pattern).match(/\d+/g) ?? []).map(Number);
    const wrong = numbers.filter((number) => !counts.sums.has(number) && !literals.includes(number));
    if (wrong.length > 0)
      yield createFindingAt(locateMessage('pattern', language))(explain`
        This message says ${wrong.join(', ')}, but the pattern requires ${[...counts.parts].join(', ')}.
        Write the number of the pattern, or correct the pattern.`);
  }
});
