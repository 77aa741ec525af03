import type { Language } from '../api/portal-config.ts';
import { fill } from '../engine/core/messages.ts';
import texts from './texts.json';

/** How each language calls itself. */
export const languageNames: Readonly<Record<Language, string>> = { es: texts.es.ownName, pt: texts.pt.ownName };

export type TextKey = keyof (typeof texts)['es'];
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** The sentences of shell and blocks in one language. */
export function sayIn(language: Language): Say {
  return (key, values = {}) => fill(texts[language][key], values);
}
