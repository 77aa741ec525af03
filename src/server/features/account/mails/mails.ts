import type { Language } from '../../../../contract/portal-config.ts';
import { mail, type LinkValues } from '../../../platform/topics/mail.ts';
import acts from './acts.json' with { type: 'json' };

type ActValues = Readonly<Record<'product' | 'name' | 'when' | 'reason' | 'support' | 'permission', string>>;
type DisavowedValues = LinkValues & Readonly<Record<'support' | 'undone', string>>;
/** Used if citizens do not set their passwords themselves. */
type ContactValues = Readonly<Record<'product' | 'name' | 'contact' | 'support' | 'undone', string>>;

export const mails = {
  disavowed: mail<DisavowedValues>(import.meta.url, 'disavowed', 'notices'),
  'disavowed-contact': mail<ContactValues>(import.meta.url, 'disavowed-contact', 'notices'),
  'account-act': mail<ActValues>(import.meta.url, 'account-act', 'desk'),
};

/** Act of an agent on an account. Its texts for the mail are in `acts.json`. */
export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as readonly ActName[]; // `Object.keys` loses the key type

export function actTexts(name: ActName, language: Language): Readonly<Record<string, string>> {
  return acts[name][language];
}
