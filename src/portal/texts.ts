import type { Language } from '../api/portal-config.ts';
import { fill } from '../engine/core/messages.ts';
import type es from './texts/es.json';

export type TextKey = keyof typeof es;
/** The sentences of shell and blocks in one language. */
export type Texts = Readonly<Record<TextKey, string>>;
export type Say = (key: TextKey, values?: Readonly<Record<string, string | number>>) => string;

/** Loads the sentences of one language: a page brings no other. */
export async function loadTexts(language: Language): Promise<Texts> {
  const { default: texts } = await (language === 'pt' ? import('./texts/pt.json') : import('./texts/es.json'));
  return texts;
}

/** Says sentences of one language, their `{names}` filled. */
export function sayIn(texts: Texts): Say {
  return (key, values = {}) => fill(texts[key], values);
}
