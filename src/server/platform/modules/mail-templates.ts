import type { Language } from '../../../contract/portal-config.ts';
import type { Config } from '../config/config.ts';

/** Names of the senders that have their own setting. All other mails are sent from MAIL_FROM. */
export type MailSenderSetting = keyof Config['mailSenders'];

/** Placeholders of each mail, except `{{product}}`, which every mail has. Each feature adds its mails in its `index.ts`. */
// eslint-disable-next-line typescript/no-empty-object-type
export interface MailPlaceholders {}

export type MailName = keyof MailPlaceholders & string;

/** One file per language, whose first line is the subject (see mail/render-mail.ts). */
export interface MailTemplate {
  readonly name: string;
  readonly file: (language: Language) => URL;
  readonly sender?: MailSenderSetting;
}

export type MailPlaceholderValues<Name extends string> = Readonly<Record<Name, string>>;

/** Placeholders for texts from the code or from a table beside the mail. These texts may contain placeholders themselves. */
export type InsertedTextPlaceholder = 'subject' | 'sentence' | 'consequence';

export type LinkMailValues = MailPlaceholderValues<'name' | 'link' | 'expires'>;

/** Defines the mails of a module. In `senders`, `null` is MAIL_FROM. `moduleUrl` is the `import.meta.url` of a file beside the folder `mails`. */
export function defineMailTemplates<Name extends MailName>(
  moduleUrl: string,
  senders: Readonly<Record<Name, MailSenderSetting | null>>,
): Readonly<Record<Name, MailTemplate>> {
  const entries = Object.entries<MailSenderSetting | null>(senders).map(([name, sender]) => [
    name,
    {
      name,
      file: (language: Language) => new URL(`./mails/${name}.${language}.txt`, moduleUrl),
      ...(sender !== null && { sender }),
    },
  ]);
  return Object.fromEntries(entries) as Readonly<Record<Name, MailTemplate>>; // the cast is needed because `Object.entries` loses the key type
}
