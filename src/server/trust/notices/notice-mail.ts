import type { Language } from '../../../contract/portal-config.ts';
import { createTexts } from '../../platform/base/texts.ts';
import type { MailContent } from '../../platform/mail/layout.ts';
import type { Templates } from '../../platform/mail/templates.ts';
import type { Mails, Values } from '../../platform/topics/mail.ts';
import notices from './mails/notices.json' with { type: 'json' };
import own from './texts.json' with { type: 'json' };

const textOf = createTexts(own);

/** Name of a mail about a change of the account. mails/notices.json contains the texts. */
export type NoticeName = keyof typeof notices;

export function noticeMail(
  templates: Templates,
  name: NoticeName,
  language: Language,
  values: Mails['notice'] & Values<'product'>,
): MailContent {
  const { subject, sentence } = notices[name][language];
  const consequence = 'undone' in notices[name][language] ? 'mail_deshacemos_cambio' : 'mail_deshacemos_despues';
  return templates.render('notice', language, values, {
    subject,
    sentence,
    consequence: textOf(consequence, language),
  });
}

/** Lists the changes that a "No fui yo" link undid, and says whether the account is now restricted. */
export function undoneText(changes: readonly string[], language: Language, restricted = false): string {
  const told: Readonly<
    Record<string, Readonly<Record<Language, { readonly subject: string; readonly undone?: string }>>>
  > = notices;
  const cambios = changes.flatMap((name) => told[name]?.[language].undone ?? []).join('; ');
  const undone =
    cambios === '' ? textOf('mail_sin_cambios', language) : textOf('mail_deshicimos', language, { cambios });
  return restricted ? `${undone}\n\n${textOf('mail_restringida', language)}` : undone;
}
