import {
  createExplainTag,
  selectLocalizedText,
  createLocalizeTag,
  type LocalizedText,
} from '../../engine/compiler/sources/localized-text.ts';
import { UsageError, type Terminal } from '../command.ts';
import sentences from './sentences.json' with { type: 'json' };

export const localize = createLocalizeTag(sentences);
export const explain = createExplainTag(localize);

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function parseLanguageOption(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}. Choose es or en.`);
}

export function createLocalizedPrint({ out }: Terminal, language: string) {
  return (line: LocalizedText | string, prefix = ''): void =>
    out(`${prefix}${typeof line === 'string' ? line : selectLocalizedText(line, language)}\n`);
}
