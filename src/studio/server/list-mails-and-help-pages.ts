import { mailByTextTable } from '../../cli/definitions/texts/mail-placeholders.ts';
import { baseLanguage, languages } from '../../contract/portal-config.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { asObject, type JsonObject } from '../../engine/core/json.ts';
import { asTextOrEmpty, parseJsonOrUndefined } from '../json-values.ts';
import type { MailOrHelpPage, VersionedFile } from '../studio-api-types.ts';

export const mailTextPathPattern = /^src\/server\/(?:[a-z0-9-]+\/)+mails\/([a-z0-9-]+)\.([a-z]{2})\.txt$/;
export const mailTablePathPattern = /^src\/server\/(?:[a-z0-9-]+\/)+mails\/(notices|warnings|acts)\.json$/;
export const helpPagePathPattern =
  /^src\/server\/features\/content\/([a-z]{2})\/((?:preguntas|paginas)\/[a-z0-9-]+)\.md$/;

export function isMailFile(file: string): boolean {
  return mailTextPathPattern.test(file) || mailTablePathPattern.test(file);
}

export function listMailsAndHelpPages(files: Readonly<Record<string, VersionedFile>>): readonly MailOrHelpPage[] {
  return Object.values(files).flatMap((file): readonly MailOrHelpPage[] => {
    const table = mailTablePathPattern.exec(file.file)?.[1];
    if (table !== undefined) return listTableMails(table, file);
    const [, mail, mailLanguage] = mailTextPathPattern.exec(file.file) ?? [];
    const [, helpLanguage, page] = helpPagePathPattern.exec(file.file) ?? [];
    if ((mailLanguage ?? helpLanguage) !== baseLanguage) return [];
    const inLanguage = (language: string): string =>
      mail === undefined
        ? file.file.replace(`/content/${baseLanguage}/`, `/content/${language}/`)
        : file.file.replace(`.${baseLanguage}.txt`, `.${language}.txt`);
    const own = { files: indexByLanguage(inLanguage), template: null, texts: [] };
    return [mail === undefined ? { kind: 'help', name: page ?? '', ...own } : { kind: 'mail', name: mail, ...own }];
  });
}

function listTableMails(table: string, { file, text }: VersionedFile): readonly MailOrHelpPage[] {
  const template = mailByTextTable[table];
  if (template === undefined) return [];
  return Object.entries(asObject(parseJsonOrUndefined(text))).map(([key, entry]) => {
    const byLanguage = asObject(entry) as Readonly<Record<string, JsonObject>>; // the cast is safe, because a table of mails has an object for each language
    return {
      kind: 'mail',
      name: `${table}/${key}`,
      files: indexByLanguage(() => file),
      template,
      texts: Object.keys(byLanguage[baseLanguage] ?? {}).map((part) => ({
        pointer: `/${escapePointer(key)}/${baseLanguage}/${part}`,
        address: `/${escapePointer(key)}/pt/${part}`,
        texts: Object.fromEntries(languages.map((language) => [language, asTextOrEmpty(byLanguage[language]?.[part])])),
      })),
    };
  });
}

function indexByLanguage(build: (language: string) => string): MailOrHelpPage['files'] {
  return { es: build('es'), pt: build('pt') };
}
