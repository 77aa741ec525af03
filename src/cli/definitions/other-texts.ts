import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { saysSame, untranslated } from '../../engine/compiler/lint/rules/texts/spelling.ts';
import {
  wordingValidator,
  type WordingFault,
  type Readers,
  type Wording,
} from '../../engine/compiler/lint/wording/faults.ts';
import type { Problem } from '../../engine/compiler/definitions.ts';
import { inLanguage, type Localized } from '../../engine/compiler/sources/say.ts';
import { readSource } from '../../engine/compiler/sources/read-source.ts';
import { placeIn, Problems } from '../../engine/compiler/sources/source-file.ts';
import { escapePointer } from '../../engine/core/json-pointer.ts';
import { isObject } from '../../engine/core/json.ts';
import { wordFinder } from '../../engine/compiler/lint/wording/own-words.ts';
import { say } from './language.ts';

const mailFile = /\/mails\/([\w-]+)\.(\w+)\.txt$/;

/**
 * Finds faulty placeholders and links in mails: unbalanced braces, differences from the base language, and links that are announced but missing.
 * `language` is that of the findings. `wording` is by language of the mails.
 */
export async function mailFindings(
  root: string,
  baseLanguage: string,
  language: string,
  wording: Readonly<Record<string, Wording>> = {},
): Promise<readonly Problem[]> {
  const files = (await readdir(join(root, 'src/server'), { recursive: true }))
    .map((name) => `src/server/${name}`)
    .filter((name) => mailFile.test(name))
    .sort();
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(root, file), 'utf8')] as const)),
  );
  return [...texts].flatMap(([file, text]) => {
    const baseFile = file.replace(/\.\w+\.txt$/, `.${baseLanguage}.txt`);
    const base = texts.get(baseFile) ?? text;
    const at = (index: number, rule: string, message: Localized, hint: Localized): Problem => {
      const before = text.slice(0, index).split('\n');
      return {
        rule,
        severity: 'W',
        file,
        line: before.length,
        column: (before.at(-1) ?? '').length + 1,
        pointer: '',
        message: inLanguage(message, language),
        hint: inLanguage(hint, language),
      };
    };
    const loose = looseBraces(text).map(([part, index]) =>
      at(
        index,
        'text/braces',
        say`People read "${part}" as it stands: this is no placeholder.`,
        say`In a mail it is written {{${part.replaceAll(/[{}\s]/g, '')}}}, with two braces on each side and no blank.`,
      ),
    );
    const own = wording[mailFile.exec(file)?.[2] ?? ''];
    const [announced] = linksIn(text).length > 0 ? [] : wordFinder(own?.links ?? [])(text);
    const lost = announced
      ? [
          at(
            announced.at,
            'text/link',
            say`It says "${announced.word}", and no link stands in this mail.`,
            say`Write it on a line of its own: [What it does]({{link}}).`,
          ),
        ]
      : [];
    return [
      ...loose,
      ...lost,
      ...unlike(base, text).map(([index, there, here]) =>
        at(
          index,
          'text/pair',
          say`It says something else than in "${baseLanguage}": there ${there}, here ${here}.`,
          say`Give each link and each placeholder the one that it has in ${baseFile}, or correct that one.`,
        ),
      ),
    ];
  });
}

function looseBraces(text: string): readonly (readonly [part: string, index: number])[] {
  return [...text.matchAll(/\{+[^{}\n]*\}+/g)].flatMap(({ 0: part, index }) =>
    /^\{\{>?\w+\}\}$/.test(part) ? [] : [[part, index] as const],
  );
}

function unlike(base: string, text: string): readonly (readonly [index: number, there: string, here: string])[] {
  const links = [linksIn(base), linksIn(text)] as const;
  const differs = links[1].findIndex(({ to }, place) => to !== links[0][place]?.to);
  if (differs >= 0 || links[0].length > links[1].length) {
    const place = differs < 0 ? links[1].length : differs;
    return [[links[1][place]?.index ?? 0, links[0][place]?.to ?? '–', links[1][place]?.to ?? '–']];
  }
  const names = [placeholdersIn(base), placeholdersIn(text)] as const;
  const [there, here] = [
    names[0].filter((name) => !names[1].includes(name)),
    names[1].filter((name) => !names[0].includes(name)),
  ];
  if (there.length + here.length === 0) return [];
  return [[Math.max(0, text.indexOf(here[0] ?? '')), there.join(', ') || '–', here.join(', ') || '–']];
}

function linksIn(text: string): readonly { readonly to: string; readonly index: number }[] {
  return [...text.matchAll(/\]\(([^)\s]*)\)/g)].map(({ 1: to = '', index }) => ({ to, index }));
}

function placeholdersIn(text: string): readonly string[] {
  return [...new Set(text.match(/\{\{>?\w+\}\}/g))];
}

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

export const wordingFile = 'src/brand/glossary.json';

const tables =
  /^(plugins\/[\w-]+\/texts\.json|src\/(server\/.*\/(texts|mails\/[\w-]+|categories|contact-subjects|scopes|statement)\.json|studio\/texts\.json|.*\/sentences\.json))$/;
/** Plain text and Markdown files, with the language in their path. */
const documents = /^src\/server\/(?:.*\/mails\/[\w-]+\.(\w+)\.txt|features\/content\/(\w+)\/\w+\/[\w-]+\.md)$/;
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
