import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saysSame, untranslated } from '../../engine/compiler/lint/rules/texts/translation.ts';
import {
  wordingValidator,
  type WordingFault,
  type Readers,
  type Wording,
} from '../../engine/compiler/lint/wording/faults.ts';
import type { Problem } from '../../engine/compiler/definitions.ts';
import { inLanguage } from '../../engine/compiler/localized.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { placeIn, Problems } from '../../engine/compiler/sources/source-file.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { isObject } from '../../engine/core/json.ts';

/** A text outside the definitions: of a mail, page, plugin, the server or the studio. */
interface OtherText {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly pointer: string;
  readonly language: string;
  readonly text: string;
  readonly readers: Readers;
}

/** Writing rules of the portal's texts. */
export const wordingFile = 'src/brand/glossary.json';

/** JSON files with texts by language. */
const tables =
  /^(plugins\/[\w-]+\/texts\.json|src\/(server\/.*\/(texts|mails\/[\w-]+|categories|contact-subjects|scopes|statement)\.json|studio\/texts\.json|.*\/sentences\.json))$/;
/** Plain text and Markdown files, with the language in their path. */
const documents = /^src\/server\/(?:.*\/mails\/[\w-]+\.(\w+)\.txt|features\/content\/(\w+)\/\w+\/[\w-]+\.md)$/;
/** Texts that only staff read. */
const forStaff = /^src\/(studio|engine)\/|\/sentences\.json$/;

/** Checks the wording of texts outside the definitions. `wording` is by language of the texts, base first. `language` is that of the findings. */
export async function otherTextFindings(
  root: string,
  wording: Readonly<Record<string, Wording>>,
  language: string,
): Promise<readonly Problem[]> {
  const validators = new Map(Object.entries(wording).map(([name, own]) => [name, wordingValidator(own)]));
  const texts = await otherTexts(root, [...validators.keys()]);
  return [
    ...texts.flatMap((text) =>
      (validators.get(text.language)?.(text) ?? []).map((fault) => toProblem(text, fault, language)),
    ),
    ...untranslatedIn(texts, wording, language),
  ];
}

/** Reports texts of a table that equal the base language. */
function untranslatedIn(
  texts: readonly OtherText[],
  wording: Readonly<Record<string, Wording>>,
  language: string,
): readonly Problem[] {
  const [base = '', ...others] = Object.keys(wording);
  const formatLocation = ({ file, pointer }: OtherText, own: string) =>
    `${file} ${`${pointer}/`.replace(`/${own}/`, '/')}`;
  const known = new Map(
    texts.flatMap((text) => (text.language === base ? [[formatLocation(text, base), text.text]] : [])),
  );
  return others.flatMap((other) => {
    const isUntranslated = untranslated(wording[other], wording[base]);
    return texts
      .filter((text) => text.language === other && text.pointer !== '')
      .filter((text) => isUntranslated({ text: known.get(formatLocation(text, other)) ?? '', translated: text.text }))
      .map((text) => toProblem(text, { rule: 'text/same', ...saysSame(text.text, wordingFile), at: 0 }, language));
  });
}

/** Collects the texts outside the definitions in some languages. */
export async function otherTexts(root: string, languages: readonly string[]): Promise<readonly OtherText[]> {
  const folders = ['src', 'plugins'].map(async (folder) =>
    (await readdir(join(root, folder), { recursive: true })).map((name) => `${folder}/${name}`).sort(),
  );
  const files = (await Promise.all(folders)).flat();
  const read = files.map(async (file) => {
    const [, ofMail, ofPage] = documents.exec(file) ?? [];
    const own = ofMail ?? ofPage;
    if (own !== undefined) return languages.includes(own) ? readLines(root, file, own) : [];
    return tables.test(file) ? readValues(root, file, languages) : [];
  });
  return (await Promise.all(read)).flat();
}

/** Reads the lines of a document, without its front matter except the title. */
async function readLines(root: string, file: string, language: string): Promise<readonly OtherText[]> {
  const lines = (await readFile(join(root, file), 'utf8')).split('\n');
  return lines.flatMap((text, index) =>
    /^(\w+: [\w[\]{}, -]*|-{3})$/.test(text) && !text.startsWith('titulo:')
      ? []
      : [{ file, line: index + 1, column: 1, pointer: '', language, text, readers: 'everybody' as const }],
  );
}

/** Reads the texts of a JSON file under the names of languages. */
async function readValues(root: string, file: string, languages: readonly string[]): Promise<readonly OtherText[]> {
  const source = await readSource(root, file, new Problems());
  if (!source) return [];
  const found: OtherText[] = [];
  const readers = forStaff.test(file) ? 'staff' : 'everybody';
  const look = (value: unknown, pointer: string, language: string | undefined): void => {
    if (typeof value === 'string' && language !== undefined)
      found.push({ file, ...placeIn(source, pointer), pointer, language, text: value, readers });
    if (isObject(value) || Array.isArray(value))
      for (const [key, part] of Object.entries(value))
        look(part, `${pointer}/${escapePointer(key)}`, languages.includes(key) ? key : language);
  };
  look(source.value, '', undefined);
  return found;
}

function toProblem(
  { file, line, column, pointer }: OtherText,
  { rule, message, hint, at }: Omit<WordingFault, 'rule'> & { readonly rule: string },
  language: string,
): Problem {
  return {
    rule,
    severity: 'W',
    file,
    line,
    column: pointer === '' ? column + at : column,
    pointer,
    message: inLanguage(message, language),
    hint: inLanguage(hint, language),
  };
}
