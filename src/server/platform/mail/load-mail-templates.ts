import { readFile } from 'node:fs/promises';
import { pagePaths } from '../../../contract/page-paths.ts';
import { languages, type Language } from '../../../contract/portal-config.ts';
import type {
  InsertedTextPlaceholder,
  MailTemplate,
  MailName,
  MailPlaceholders,
  MailSenderSetting,
  MailPlaceholderValues,
} from '../modules/mail-templates.ts';
import { renderMail, type MailContent } from './render-mail.ts';

export interface MailTemplates {
  /** Renders a mail in a language. The texts of `inserted` are filled in before `values`, so they may contain placeholders themselves. */
  renderTemplate<Name extends MailName>(
    name: Name,
    language: Language,
    values: MailPlaceholders[Name] & MailPlaceholderValues<'product'>,
    inserted?: Readonly<Partial<Record<InsertedTextPlaceholder, string>>>,
  ): MailContent & { readonly sender?: MailSenderSetting };
}

/** Loads the templates of all mails. Throws if a file is missing. Mails link to a page under `baseUrl` that explains how to recognise them. */
export async function loadMailTemplates(
  mails: Readonly<Record<string, MailTemplate>>,
  baseUrl: string,
): Promise<MailTemplates> {
  const authentic = `${baseUrl}${pagePaths.authentic}`;
  const sources = new Map<string, string>();
  for (const { name, file } of Object.values(mails))
    for (const language of languages) sources.set(`${name}.${language}`, await readFile(file(language), 'utf8'));
  return {
    renderTemplate(name, language, values, inserted = {}) {
      const source = sources.get(`${name}.${language}`);
      if (source === undefined) throw new Error(`The mail ${name} was not read. List it in the module that sends it.`);
      const whole = Object.entries(inserted).reduce((text, [key, part]) => text.replace(`{{${key}}}`, part), source);
      const sender = mails[name]?.sender;
      return { ...renderMail(whole, { language, values, authentic }), ...(sender && { sender }) };
    },
  };
}
