import { fill } from '../../../engine/core/messages.ts';
import type { Language } from '../../../contract/portal-config.ts';
import shared from './texts.json' with { type: 'json' };

export type Catalogue<Code extends string = string> = Readonly<Record<Language, Readonly<Record<Code, string>>>>;

/** The text of a code in a language, its `{placeholders}` filled. */
export type TextOf<Code extends string = string> = (
  code: Code,
  language: Language,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** The texts of a module, from its texts.json. */
export function createTexts<Code extends string>(catalogue: Catalogue<Code>): TextOf<Code> {
  return (code, language, values = {}) => fill(catalogue[language][code], values);
}

/** The texts that belong to no topic: texts.json of this folder. */
export const sharedTexts: Catalogue<keyof (typeof shared)['es']> = shared;

export type SharedText = keyof (typeof shared)['es'];

export const textOf: TextOf<SharedText> = createTexts(sharedTexts);

/** The texts of every topic, for codes that are known at run time alone; the general text for a code that has none. */
export function allTexts(catalogue: Catalogue): TextOf {
  return (code, language, values = {}) => {
    const own = catalogue[language];
    const text = Object.hasOwn(own, code) ? own[code] : own['error_interno'];
    return fill(text ?? code, values);
  };
}
