import type { Language } from '../../../contract/portal-config.ts';
import acts from './mails/acts.json' with { type: 'json' };

/** Act of an agent on an account. Its texts for the mail are in `acts.json`. */
export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as readonly ActName[]; // `Object.keys` loses the key type

export function actTexts(name: ActName, language: Language): Readonly<Record<string, string>> {
  return acts[name][language];
}
