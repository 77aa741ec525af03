import type { Language } from '../../../contract/portal-config.ts';
import type { Config } from '../config/config.ts';

/** Senders of mails that a setting tells apart; a mail without one has the sender of MAIL_FROM. */
export type MailSender = keyof Config['mailSenders'];

/** Every mail, with the values of its `{{placeholders}}` besides `{{product}}`. Each topic adds its own in its `index.ts`. */
// eslint-disable-next-line typescript/no-empty-object-type
export interface Mails {}

export type MailName = keyof Mails & string;

/** A mail that a topic sends. Its text is a file of each language, with the subject as its first line (see mail/layout.ts). */
export interface Mail {
  readonly name: string;
  readonly file: (language: Language) => URL;
  readonly sender?: MailSender;
}

export type Values<Name extends string> = Readonly<Record<Name, string>>;

/** Values of a mail with a link. */
export type LinkValues = Values<'name' | 'link' | 'expires'>;

/** Returns the mails of a topic with their senders (`null`: that of MAIL_FROM). Their files are in `mails` beside the module whose `import.meta.url` is `topic`. */
export function nameMails<Name extends MailName>(
  topic: string,
  senders: Readonly<Record<Name, MailSender | null>>,
): Readonly<Record<Name, Mail>> {
  const entries = Object.entries<MailSender | null>(senders).map(([name, sender]) => [
    name,
    {
      name,
      file: (language: Language) => new URL(`./mails/${name}.${language}.txt`, topic),
      ...(sender !== null && { sender }),
    },
  ]);
  return Object.fromEntries(entries) as Readonly<Record<Name, Mail>>; // `Object.entries` loses the key type
}
