import {
  createExplainTag,
  selectLocalizedText,
  createLocalizeTag,
  type LocalizedText,
  type ProblemExplanation,
} from '../../engine/compiler/sources/localized-text.ts';
import { UsageError, type Terminal } from '../command.ts';
import sentences from './sentences.json' with { type: 'json' };

export const localize = createLocalizeTag(sentences);
export const explain = createExplainTag(localize);

/** Explains that two texts, or their originals in `base`, are each in the place of the other. Either language may be wrong. */
export function explainExchanged(first: string, second: string, base: string): ProblemExplanation {
  return explain`"${first}" and "${second}" are in the opposite order of ${base}.
    Find out which of the two languages is wrong, and swap them there.`;
}

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function parseLanguageOption(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}. Choose es or en.`);
}

export function createLocalizedPrint({ out }: Terminal, language: string) {
  return (line: LocalizedText | string, prefix = ''): void =>
    out(`${prefix}${typeof line === 'string' ? line : selectLocalizedText(line, language)}\n`);
}

/** Maximum number of names in a list. */
const maxNamesInList = 5;

export function formatShortList(names: readonly string[]): LocalizedText {
  const shown = names.slice(0, maxNamesInList).join(', ');
  return names.length > maxNamesInList
    ? localize`${shown} and ${names.length - maxNamesInList} more`
    : localize`${shown}`;
}
