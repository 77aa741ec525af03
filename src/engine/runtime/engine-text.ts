import { fillPlaceholders } from '../core/messages.ts';
import catalogues from './texts.json' with { type: 'json' };

export type EngineText = keyof typeof catalogues.en;

/** Returns a text of the engine in the language of the page, with its placeholders filled. */
export type EngineTranslate = (key: EngineText, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the engine's texts in a language (see `texts.json`; a region is ignored), or else in English. `own` replaces some of them. */
export function createTexts(language = '', own: Readonly<Partial<Record<EngineText, string>>> = {}): EngineTranslate {
  const known: Readonly<Record<string, Readonly<Record<EngineText, string>>>> = catalogues;
  const texts = known[language.split('-', 1)[0] ?? ''] ?? catalogues.en;
  return (key, values = {}) => fillPlaceholders(own[key] ?? texts[key], values);
}
