import { readFile } from 'node:fs/promises';
import { constants } from '../../api/constants.ts';
import type { Language } from '../../api/portal-config.ts';
import { escapeHtml } from './escape-html.ts';

/** A mail without its recipient. */
export interface MailContent {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

/** What a mail with a link, with a code, and about a change that was made asks for. */
type LinkValues = Readonly<Record<'product' | 'name' | 'link' | 'expires', string>>;
type CodeValues = Readonly<Record<'product' | 'name' | 'code' | 'expires', string>>;
type NoticeValues = Readonly<Record<'product' | 'name' | 'when' | 'support', string>>;

/** What a template asks for, by its name: every `{{placeholder}}` of its files. */
interface TemplateValues {
  readonly activation: LinkValues;
  readonly 'reset-password': LinkValues;
  readonly code: CodeValues;
  readonly 'password-changed': NoticeValues;
  readonly 'second-factor-added': NoticeValues;
  readonly 'second-factor-removed': NoticeValues;
  readonly 'recovery-codes-renewed': NoticeValues;
}

/** The mails that tell a citizen of a change of the account. */
export type NoticeName = 'password-changed' | 'second-factor-added' | 'second-factor-removed' | 'recovery-codes-renewed';

/** The mails of the portal, from templates/<name>.<language>.txt (first line: subject) and .html. */
export interface Templates {
  render<Name extends keyof TemplateValues>(name: Name, language: Language, values: TemplateValues[Name]): MailContent;
}

const names = [
  'activation', 'reset-password', 'code', 'password-changed', 'second-factor-added', 'second-factor-removed', 'recovery-codes-renewed',
] as const satisfies readonly (keyof TemplateValues)[];
const languages = ['es', 'pt'] as const satisfies readonly Language[];

/** Reads every template in every language; throws when a file is missing. */
export async function loadTemplates(): Promise<Templates> {
  const files = new Map<string, string>();
  for (const name of names) {
    for (const language of languages) {
      for (const kind of ['txt', 'html']) {
        const file = `${name}.${language}.${kind}`;
        files.set(file, await readFile(new URL(`./templates/${file}`, import.meta.url), 'utf8'));
      }
    }
  }
  const file = (name: string) => files.get(name) ?? '';
  return {
    render(name, language, values) {
      const [subject = '', ...text] = fill(file(`${name}.${language}.txt`), values, (value) => value).split('\n');
      return {
        subject,
        text: text.join('\n').trim(),
        html: fill(file(`${name}.${language}.html`), values, escapeHtml),
      };
    },
  };
}

/** An instant as people read it, in the time of Uruguay. */
export function readableTime(at: Date, language: Language): string {
  const locale = { es: 'es-UY', pt: 'pt-BR' }[language];
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'short', hourCycle: 'h23', timeZone: constants.timeZone }).format(at);
}

/** A line break in a value is a blank, so that no value can add a line (or a subject) to a mail. */
function fill(template: string, values: Readonly<Record<string, string>>, write: (value: string) => string): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : write(value.replace(/\s+/g, ' '));
  });
}
