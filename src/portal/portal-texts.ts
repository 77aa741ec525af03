import type { Language } from '../contract/portal-config.ts';
import { fillPlaceholders, preventLineBreaks } from '../engine/core/messages.ts';
import type account from '../../schemas/_shared/texts/account.json';
import type es from '../../schemas/_shared/texts/portal.json';

export type PortalTextKey = keyof typeof es | keyof typeof account;
export type PortalTexts = Readonly<Partial<Record<PortalTextKey, string>>>;
export type TranslateFunction = (key: PortalTextKey, values?: Readonly<Record<string, string | number>>) => string;

export async function loadPortalTexts(language: Language): Promise<PortalTexts> {
  const { default: texts } = await (language === 'pt'
    ? import('../../schemas/_shared/texts/portal.pt.json')
    : import('../../schemas/_shared/texts/portal.json'));
  return texts;
}

export async function loadAccountTexts(language: Language): Promise<PortalTexts> {
  const { default: texts } = await (language === 'pt'
    ? import('../../schemas/_shared/texts/account.pt.json')
    : import('../../schemas/_shared/texts/account.json'));
  return texts;
}

export function createTranslate<Key extends string>(
  texts: Readonly<Partial<Record<Key, string>>>,
): (key: Key, values?: Readonly<Record<string, string | number>>) => string {
  return (key, values = {}) => preventLineBreaks(fillPlaceholders(texts[key] ?? '', values));
}
