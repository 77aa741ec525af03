import { fillPlaceholders } from '../core/messages.ts';
import catalogues from './texts.json' with { type: 'json' };

export type EngineTextKey = keyof typeof catalogues.en;

export type EngineTranslate = (key: EngineTextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Returns the engine's texts in a language (see `texts.json`), or in English. Ignores the region of the language. `own` overrides texts. */
export function createTexts(
  language = '',
  own: Readonly<Partial<Record<EngineTextKey, string>>> = {},
): EngineTranslate {
  const known: Readonly<Record<string, Readonly<Record<EngineTextKey, string>>>> = catalogues;
  const texts = known[language.split('-', 1)[0] ?? ''] ?? catalogues.en;
  return (key, values = {}) => fillPlaceholders(own[key] ?? texts[key], values);
}
