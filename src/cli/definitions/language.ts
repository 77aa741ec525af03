import { createExplain, selectLanguage, createSay, type Localized } from '../../engine/compiler/sources/say.ts';
import { UsageError, type Terminal } from '../command.ts';
import sentences from './sentences.json' with { type: 'json' };

export const say = createSay(sentences);
export const explain = createExplain(say);

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function parseLanguage(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}. Choose es or en.`);
}

/** Creates a function that prints a line in a language. The line may have a prefix. */
export function createPrint({ out }: Terminal, language: string) {
  return (line: Localized | string, prefix = ''): void =>
    out(`${prefix}${typeof line === 'string' ? line : selectLanguage(line, language)}\n`);
}
