import { explainWith, inLanguage, sayWith, type Localized } from '../../engine/compiler/sources/say.ts';
import { UsageError, type Terminal } from '../command.ts';
import sentences from './sentences.json' with { type: 'json' };

export const say = sayWith(sentences);
export const explain = explainWith(say);

export const languageOption = { lang: { type: 'string', default: 'es' } } as const;

export function readLanguage(given: string): 'es' | 'en' {
  if (given === 'es' || given === 'en') return given;
  throw new UsageError(`There is no language ${given}: es or en.`);
}

/** Creates a function that prints a line in a language, after an optional prefix. */
export function createPrint({ out }: Terminal, language: string) {
  return (line: Localized | string, prefix = ''): void =>
    out(`${prefix}${typeof line === 'string' ? line : inLanguage(line, language)}\n`);
}
