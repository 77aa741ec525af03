import { readFile } from 'node:fs/promises';
import { constants } from '../../../contract/constants.ts';
import { languages, type Language } from '../../../contract/portal-config.ts';
import { textOf } from '../base/texts.ts';
import { layOut, type MailContent } from './layout.ts';
import acts from './templates/acts.json' with { type: 'json' };
import notices from './templates/notices.json' with { type: 'json' };

/** What a mail with a link, about a change that was made, of the contact form, and with a code asks for. */
type LinkValues = Readonly<Record<'product' | 'name' | 'link' | 'expires', string>>;
type ConfirmationValues = Readonly<Record<'product' | 'name' | 'when', string>>;
type ContactValues = Readonly<
  Record<'product' | 'subject' | 'when' | 'name' | 'document' | 'email' | 'phone' | 'account' | 'message', string>
>;
/** Of a call: what for, when, how long, and the addresses that act on it; empty where a mail has no use for one. */
type CallValues = Readonly<
  Record<
    | 'product'
    | 'call'
    | 'when'
    | 'minutes'
    | 'expires'
    | 'book'
    | 'confirm'
    | 'cancel'
    | 'enter'
    | 'accept'
    | 'account'
    | 'reason'
    | 'support',
    string
  >
>;
type CodeValues = Readonly<Record<'product' | 'name' | 'code' | 'expires', string>>;
/** With the placeholders of its own sentence, if it has any. */
type NoticeValues = Readonly<Record<'product' | 'name' | 'when' | 'support' | 'undo' | 'days', string>> &
  Readonly<Record<string, string>>;

type ActValues = Readonly<Record<'product' | 'name' | 'when' | 'reason' | 'support' | 'permission', string>>;

/** What a template asks for, by its name: every `{{placeholder}}` of its files. */
export interface TemplateValues {
  readonly activation: LinkValues;
  readonly 'reset-password': LinkValues;
  readonly code: CodeValues;
  readonly 'email-change': LinkValues;
  /** Of a change that an agent began: `from` when on it can be confirmed. */
  readonly 'email-change-waits': LinkValues & Readonly<Record<'from', string>>;
  readonly disavowed: LinkValues & Readonly<Record<'support' | 'undone', string>>;
  /** Where citizens do not set their passwords themselves. */
  readonly 'disavowed-contact': Readonly<Record<'product' | 'name' | 'contact' | 'support' | 'undone', string>>;
  readonly 'email-confirmed': ConfirmationValues;
  readonly 'contact-message': ContactValues;
  readonly 'call-reserved': CallValues;
  readonly 'call-booked': CallValues;
  readonly 'call-cancelled': CallValues;
  readonly 'call-lapsed': CallValues;
  readonly 'call-reminder': CallValues;
  readonly 'call-failed': CallValues;
  readonly 'call-aborted': CallValues;
  readonly 'call-withdrawn': CallValues;
  readonly 'call-spared': CallValues;
  readonly 'call-approved': CallValues;
  readonly 'call-expired': CallValues;
  readonly 'call-overlooked': CallValues;
  readonly 'call-rejected': CallValues;
  readonly 'contact-answer': Readonly<Record<'product' | 'subject' | 'answer' | 'support', string>>;
  readonly 'contact-received': Readonly<Record<'product' | 'subject' | 'when' | 'support', string>>;
}

/** A mail about a call. */
export type CallMail = Extract<keyof TemplateValues, `call-${string}`>;

/** The mails that tell a citizen of a change of the account: what each says stands in templates/notices.json. */
export type NoticeName = keyof typeof notices;

/** What an agent does to an account: what each mail says of it stands in templates/acts.json. */
export type ActName = keyof typeof acts;

export const actNames = Object.keys(acts) as readonly ActName[];

/** The mails of the portal, from templates/<name>.<language>.txt (see layout.ts). */
export interface Templates {
  render<Name extends keyof TemplateValues>(name: Name, language: Language, values: TemplateValues[Name]): MailContent;
  /** A mail about a change that was made, with the link that disavows it. */
  notice(name: NoticeName, language: Language, values: NoticeValues): MailContent;
  /** The mail after a 'No fui yo': what the changes that it took back had changed, each named as its notice is. */
  disavowed(
    changes: readonly string[],
    language: Language,
    values: Omit<TemplateValues['disavowed'], 'undone'> | Omit<TemplateValues['disavowed-contact'], 'undone'>,
  ): MailContent;
  /** A mail about what an agent did. */
  act(name: ActName, language: Language, values: ActValues): MailContent;
}

const names = [
  'activation',
  'reset-password',
  'code',
  'email-change',
  'email-change-waits',
  'email-confirmed',
  'disavowed',
  'disavowed-contact',
  'contact-message',
  'contact-received',
  'contact-answer',
  'call-reserved',
  'call-booked',
  'call-cancelled',
  'call-lapsed',
  'call-reminder',
  'call-failed',
  'call-aborted',
  'call-withdrawn',
  'call-spared',
  'call-approved',
  'call-expired',
  'call-overlooked',
  'call-rejected',
  'notice',
  'account-act',
] as const;

/** Reads every template in every language; throws when a file is missing. */
export async function loadTemplates(): Promise<Templates> {
  const files = new Map<string, string>();
  for (const name of names) {
    for (const language of languages) {
      const file = `${name}.${language}.txt`;
      files.set(file, await readFile(new URL(`./templates/${file}`, import.meta.url), 'utf8'));
    }
  }
  const source = (name: (typeof names)[number], language: Language) => files.get(`${name}.${language}.txt`) ?? '';
  return {
    render: (name, language, values) => layOut(source(name, language), language, values),
    notice(name, language, values) {
      const { subject, sentence } = notices[name][language];
      const consequence = 'undone' in notices[name][language] ? 'mail_deshacemos_cambio' : 'mail_deshacemos_despues';
      return layOut(
        source('notice', language)
          .replace('{{subject}}', subject)
          .replace('{{sentence}}', sentence)
          .replace('{{consequence}}', textOf(consequence, language)),
        language,
        values,
      );
    },
    disavowed(changes, language, values) {
      const told: Readonly<
        Record<string, Readonly<Record<Language, { readonly subject: string; readonly undone?: string }>>>
      > = notices;
      const cambios = changes.flatMap((name) => told[name]?.[language].undone ?? []).join('; ');
      const undone =
        cambios === '' ? textOf('mail_sin_cambios', language) : textOf('mail_deshicimos', language, { cambios });
      const name = 'contact' in values ? 'disavowed-contact' : 'disavowed';
      return layOut(source(name, language), language, { ...values, undone });
    },
    act(name, language, values) {
      const { subject, sentence } = acts[name][language];
      return layOut(
        source('account-act', language).replace('{{subject}}', subject).replace('{{sentence}}', sentence),
        language,
        values,
      );
    },
  };
}

/** An instant as people read it, in the time of Uruguay. */
export function readableTime(at: Date, language: Language): string {
  const locale = { es: 'es-UY', pt: 'pt-BR' }[language];
  return new Intl.DateTimeFormat(locale, {
    dateStyle: 'full',
    timeStyle: 'short',
    hourCycle: 'h23',
    timeZone: constants.timeZone,
  }).format(at);
}
