import type { Language } from '../../../../contract/portal-config.ts';
import { mail, type LinkValues } from '../../../platform/topics/mail.ts';
import acts from './acts.json' with { type: 'json' };

type ActValues = Readonly<Record<'product' | 'name' | 'when' | 'reason' | 'support' | 'permission', string>>;
type DisavowedValues = LinkValues & Readonly<Record<'support' | 'undone', string>>;
/** Where citizens do not set their passwords themselves. */
type ContactValues = Readonly<Record<'product' | 'name' | 'contact' | 'support' | 'undone', string>>;

/** The mails of this module. */
export const mails = {
  disavowed: mail<DisavowedValues>(import.meta.url, 'disavowed', 'notices'),
  'disavowed-contact': mail<ContactValues>(import.meta.url, 'disavowed-contact', 'notices'),
  'account-act': mail<ActValues>(import.meta.url, 'account-act', 'desk'),
};

/** What an agent does to an account: what each mail says of it stands in acts.json. */
export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as readonly ActName[]; // keys of a file are its names

/** Texts of the mail `account-act` for one act. */
export function actTexts(name: ActName, language: Language): Readonly<Record<string, string>> {
  return acts[name][language];
}
