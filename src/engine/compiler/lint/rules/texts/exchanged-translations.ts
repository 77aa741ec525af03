import type { Json } from '../../../../core/json.ts';
import { listPlaceholders } from '../../../../core/messages.ts';
import { explain } from '../../../sources/localized-text.ts';
import { groupBy } from '../../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt, type LintFinding } from '../../lint-rule.ts';
import { listTranslatedTexts, type TranslatedText } from '../../wording/list-located-texts.ts';
import { createTranslationScorer } from '../../wording/wording-faults.ts';

export const exchangedTranslationsLintRule = createDefinitionsLintRule('text/exchanged', 'W', (subject) =>
  subject.set.languages
    .slice(1)
    .flatMap((language) => [...findExchangedTranslations(listTranslatedTexts(language, subject))]),
);

/** Minimum increase of the sum of two scores by swapping the translations, in one list and elsewhere. A smaller increase is not reported. */
const minSwapGain = { list: 0.2, elsewhere: 0.4 } as const;
/** Score of `createTranslationScorer` above which a translation is never reported. */
const goodFit = 0.7;

function* findExchangedTranslations(pairs: readonly TranslatedText[]): Iterable<LintFinding> {
  const fit = createTranslationScorer(pairs);
  const doubtful = pairs.filter(({ text, translated }) => text !== translated && fit(text, translated) <= goodFit);
  for (const own of groupBy(doubtful, ({ file }) => file.path).values())
    for (const [index, first] of own.entries())
      for (const second of own.slice(index + 1)) {
        if (
          first.translated === second.translated ||
          first.text === second.text ||
          !haveSamePlaceholders(first, second)
        )
          continue;
        const now = fit(first.text, first.translated) + fit(second.text, second.translated);
        const then = fit(first.text, second.translated) + fit(second.text, first.translated);
        if (then - now < minSwapGain[isSameList(first, second) ? 'list' : 'elsewhere']) continue;
        const related = [{ file: second.file.path, pointer: second.pointer }, first.base];
        const fix = [createReplacement(first, second.translated), createReplacement(second, first.translated)];
        yield createFindingAt({ file: first.file, pointer: first.pointer, related, fix })(explain`
          "${first.translated}" and "${second.translated}" are in the opposite order of ${first.base.file}.
          Find out which of the two files is wrong, and swap them there.`);
      }
}

function isSameList(...texts: readonly TranslatedText[]): boolean {
  return new Set(texts.map(({ pointer }) => pointer.replace(/\/\d+(?:\/text)?$/, '/'))).size === 1;
}

/** Whether two translations have the same placeholders, so that they could be swapped. Another rule reports wrong placeholders. */
function haveSamePlaceholders(first: TranslatedText, second: TranslatedText): boolean {
  const joinPlaceholders = (text: string) => [...listPlaceholders(text)].sort().join(' ');
  return (
    joinPlaceholders(first.text) === joinPlaceholders(second.translated) &&
    joinPlaceholders(second.text) === joinPlaceholders(first.translated)
  );
}

function createReplacement({ file, pointer }: TranslatedText, value: Json) {
  return { file: file.path, pointer, value };
}
