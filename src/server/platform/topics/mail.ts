import type { Language } from '../../../contract/portal-config.ts';
import type { Config } from '../config/config.ts';

/** Senders of mails that a setting tells apart; a mail without one has the sender of MAIL_FROM. */
export type MailSender = keyof Config['mailSenders'];

/** A mail that a topic sends. Its text is a file of each language, with the subject as its first line (see mail/layout.ts). */
export interface Mail<Values = unknown> {
  readonly name: string;
  /** The file of a language. */
  readonly file: (language: Language) => URL;
  readonly sender?: MailSender;
  /** Never there: what every `{{placeholder}}` of the files asks for. */
  readonly values?: Values;
}

/** What a mail with a link asks for. */
export type LinkValues = Readonly<Record<'product' | 'name' | 'link' | 'expires', string>>;

/** The mail `<name>.<language>.txt` beside a module, named by its `import.meta.url`. */
export function mail<Values>(module: string, name: string, sender?: MailSender): Mail<Values> {
  return { name, file: (language) => new URL(`./${name}.${language}.txt`, module), ...(sender && { sender }) };
}
