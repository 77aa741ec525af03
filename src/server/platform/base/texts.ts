import { fillPlaceholders } from '../../../engine/core/messages.ts';
import type { Language } from '../../../contract/portal-config.ts';
import shared from './texts.json' with { type: 'json' };

export type TextCatalogue<Code extends string = string> = Readonly<Record<Language, Readonly<Record<Code, string>>>>;

export type TextLookup<Code extends string = string> = (
  code: Code,
  language: Language,
  values?: Readonly<Record<string, string | number>>,
) => string;

export function createCatalogueLookup<Code extends string>(catalogue: TextCatalogue<Code>): TextLookup<Code> {
  return (code, language, values = {}) => fillPlaceholders(catalogue[language][code], values);
}

export const sharedTextCatalogue: TextCatalogue<keyof (typeof shared)['es']> = shared;

export type SharedTextCode = keyof (typeof shared)['es'];

export const getSharedText: TextLookup<SharedTextCode> = createCatalogueLookup(sharedTextCatalogue);

/** Creates a lookup for text codes that are known only at run time. An unknown code gets the general error text. */
export function createTextLookup(catalogue: TextCatalogue): TextLookup {
  return (code, language, values = {}) => {
    const own = catalogue[language];
    const text = Object.hasOwn(own, code) ? own[code] : own['error_interno'];
    return fillPlaceholders(text ?? code, values);
  };
}
