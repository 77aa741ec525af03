import {
  findNearestName,
  listNearNames,
  type ProblemExplanation,
} from '../../../engine/compiler/sources/localized-text.ts';
import { listFiles, readTexts } from '../../project.ts';
import { explain, localize } from '../localized-output.ts';

/** Returns the distinct placeholders of a mail: `{{name}}`, or `{{>name}}` for a quotation. */
export function listMailPlaceholders(text: string): readonly string[] {
  return [...new Set(text.match(/\{\{>?\w+\}\}/g))];
}

/** Returns the placeholders of a mail to which its code assigns no value. */
export function listUnknownPlaceholders(text: string, declared: readonly string[]): readonly string[] {
  const names = new Set(declared.map(getName));
  return listMailPlaceholders(text).filter((placeholder) => !names.has(getName(placeholder)));
}

/** Explains that a mail has no value for a placeholder. `declared` has the placeholders with a value. */
export function explainUnknownPlaceholder(placeholder: string, declared: readonly string[]): ProblemExplanation {
  const name = findNearestName(getName(placeholder), declared.map(getName));
  const near = declared.find((own) => getName(own) === name);
  return explain`This mail has no value for ${placeholder}: it is displayed as text.
    ${near === undefined ? '' : localize`Did you mean "${near}"? `}Its values: ${listNearNames(placeholder, declared)}.`;
}

function getName(placeholder: string): string {
  return placeholder.replaceAll(/\W/g, '');
}

/** Mails whose subject and sentence come from a table in the same folder, by the name of the table. */
export const mailByTextTable: Readonly<Record<string, string>> = {
  notices: 'notice',
  warnings: 'warning',
  acts: 'account-act',
};

/** Placeholders of a mail, or of an entry of its table of texts. `undefined` for a mail that no code declares. */
type DeclaredPlaceholders = (mail: string, entry?: string) => readonly string[] | undefined;

/** Reads the code that declares the placeholders of the mails. */
export async function readServerCode(root: string): Promise<string> {
  const files = await listFiles(root, ['src/server'], (path) => path.endsWith('.ts'));
  return readTexts(root, files).join('\n');
}

/** Reads the interface `MailPlaceholders`, and for tables of texts `InsertedTextPlaceholder` and interfaces such as `NoticeValues`. */
export async function readDeclaredPlaceholders(root: string): Promise<DeclaredPlaceholders> {
  const code = (await readServerCode(root)).replaceAll(/\/\*[^]*?\*\//g, '');
  const aliases = new Map(
    [...code.matchAll(/\btype (\w+) =([^;]*);/g)].map(([, name = '', type = '']) => [name, type]),
  );
  const listNames = (type: string): readonly string[] => [
    ...[...type.matchAll(/'(\w+)'/g)].map(([, name = '']) => name),
    ...[...type.matchAll(/\b[A-Z]\w+/g)].flatMap(([alias]) => listNames(aliases.get(alias) ?? '')),
  ];
  const readMembers = (name: string) =>
    [...code.matchAll(new RegExp(String.raw`interface ${name} \{([^}]*)\}`, 'g'))].flatMap(([, body = '']) =>
      [...body.matchAll(/([\w-]+)'?:([^;]*);/g)].map(([, mail = '', type = '']) => [mail, listNames(type)] as const),
    );
  const declared = new Map(readMembers('MailPlaceholders'));
  const ofEntries = new Map(
    Object.values(mailByTextTable).map((mail) => {
      const name = `${mail.charAt(0).toUpperCase()}${mail.slice(1)}Values`;
      return [mail, { inserted: listNames('InsertedTextPlaceholder'), byEntry: new Map(readMembers(name)) }] as const;
    }),
  );
  return (mail, entry = '') => {
    const own = declared.get(mail);
    const { inserted = [], byEntry } = ofEntries.get(mail) ?? {};
    const names = new Set([...(own ?? []), 'product', ...inserted, ...(byEntry?.get(entry) ?? [])]);
    return own && [...names].map((name) => `{{${name}}}`);
  };
}
