import { escapePointer, findByPointer } from '../../../core/json-pointer.ts';
import { isObject, groupBy } from '../../../core/json.ts';
import { pickTextEntries } from '../../files/index-plugins.ts';
import { indexTextsByPointer, pairTextsWithTranslations } from '../../shared/translation.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { ProblemCollector } from '../../sources/problem-collector.ts';
import type { TextLintInput } from '../lint-input.ts';
import { hashForUrl } from '../../sources/hash-for-url.ts';
import { type WordingInput, createWordingValidator, type WordingRules } from './wording-faults.ts';
import { checkFileFormat } from '../../formats/check-file-format.ts';
import { explain } from '../../sources/localized-text.ts';
import { readSourceFile } from '../../sources/read-source.ts';
import { createWordFinder, removeAccents } from './words.ts';

export interface TranslatedText {
  /** Location of the translation. */
  readonly file: SourceFile;
  readonly pointer: string;
  /** Location of the original. */
  readonly base: { readonly file: string; readonly pointer: string };
  readonly original: SourceFile;
  readonly text: string;
  readonly translated: string;
}

/** Returns the translated texts of a language with their originals. */
export const listTranslatedTexts = cachedByLanguage((language, subject): readonly TranslatedText[] => [
  ...listFilePairs(language, subject).flatMap(([original, file]) =>
    pairTextsWithTranslations(original.value, file.value).flatMap(({ pointer, address, text, translated }) =>
      translated === undefined
        ? []
        : [{ file, pointer: address, original, base: { file: original.path, pointer }, text, translated }],
    ),
  ),
  ...pairTextTables(language, subject).flatMap(([base, file]) => {
    const own = pickTextEntries(file);
    return Object.entries(pickTextEntries(base)).flatMap(([key, text]) => {
      const pointer = `/${escapePointer(key)}`;
      const translated = own[key];
      return translated === undefined
        ? []
        : [{ file, pointer, original: base, base: { file: base.path, pointer }, text, translated }];
    });
  }),
]);

type WritingRules = Readonly<Record<string, Omit<WordingRules, 'quoted'>>>;

/** Quotations by language and by section of their source document. */
type Quotations = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Combines the writing rules of each language with its quotations. */
export function createWordingRules(rules: object, quotations: Quotations): Readonly<Record<string, WordingRules>> {
  const languages = Object.entries(rules).filter(([key]) => !key.startsWith('$')) as [string, WritingRules[string]][]; // cast: the file was validated against its format
  return Object.fromEntries(
    languages.map(([language, own]) => [
      language,
      {
        ...own,
        quoted: Object.values(quotations[language] ?? {})
          .flat()
          .toSorted((a, b) => b.length - a.length), // longest first, because a quotation may contain another one
      },
    ]),
  );
}

/** Checks the format and the consistency of a file with writing rules. */
export async function checkWordingFile(root: string, path: string, problems: ProblemCollector): Promise<void> {
  const file = await readSourceFile(root, path, problems);
  if (!file || !checkFileFormat(file, 'wording', problems)) return;
  for (const [language, wording] of Object.entries(createWordingRules(file.value as object, {}))) {
    const faultsIn = createWordingValidator(wording);
    const lists = listWordTables(wording);
    for (const { at, words, name } of lists) {
      const replacements = Object.values(words).filter((word) => word !== '');
      const meant =
        name && replacements.find((word) => word !== name.use && sortLetters(word) === sortLetters(name.use));
      if (name && meant)
        problems.report(file)(`/${language}${at.replace(/not$/, 'use')}`)(explain`
          The name is "${name.use}" here, and "${meant}" in the replacements.
          Write the same name in both.`);
      for (const [word, instead] of Object.entries(words)) {
        const report = problems.report(file)(`/${language}${at}/${escapePointer(word)}`);
        if (lists.some((other) => other.at !== at && Object.hasOwn(other.words, word)))
          report(explain`"${word}" is also in another list.
            Remove one of them.`);
        const refused = faultsIn({ text: instead, readers: 'everybody' }).find(({ rule }) => rule !== 'text/plain');
        if (refused) report(refused);
        if (name && createWordFinder([word], name.except)(name.use).length > 0)
          report(explain`The name itself says "${word}".
            Remove the entry.`);
      }
    }
  }
}

/** Returns the letters of a text in alphabetical order, without accents. Texts that differ only in accents or exchanged letters have the same result. */
function sortLetters(text: string): string {
  return [...removeAccents(text)].sort().join('');
}

function listWordTables({ plain, stressed = {}, voice, orders = {}, names, blame }: WordingRules) {
  return [
    { at: '/plain', words: plain },
    { at: '/stressed', words: stressed },
    { at: '/voice', words: voice },
    { at: '/orders', words: orders },
    { at: '/blame', words: blame },
    ...names.map((name, index) => ({ at: `/names/${index}/not`, words: name.not, name })),
  ].map((list) => ({ name: undefined, ...list }));
}

export interface LocatedText extends WordingInput {
  readonly file: SourceFile;
  readonly pointer: string;
  /** Location of the same text in the base language. */
  readonly origin: { readonly file: SourceFile; readonly pointer: string };
}

/** Caches a result by lint input and language, because several rules read the same texts. */
function cachedByLanguage<Value>(read: (language: string, subject: TextLintInput) => Value) {
  const known = new WeakMap<TextLintInput, Map<string, Value>>();
  return (language: string, subject: TextLintInput): Value => {
    const own = known.get(subject) ?? new Map<string, Value>();
    known.set(subject, own);
    const found = own.get(language) ?? read(language, subject);
    own.set(language, found);
    return found;
  };
}

/** Returns the texts of one language in screens, shared definitions, common texts and the catalogue. */
export const listLocatedTexts = cachedByLanguage(readTexts);

/** Returns the texts of one language, grouped by file. The digest of a group changes with its file and the original of its file. */
export const listTextsByFile = cachedByLanguage(
  (language, subject): readonly (readonly [digest: string, texts: readonly LocatedText[]])[] =>
    [...groupBy(listLocatedTexts(language, subject), ({ file }) => file.path).values()].map((texts) => {
      const { file, origin } = texts[0] as LocatedText; // cast: a group is never empty
      return [hashForUrl(`${file.path}\0${file.text}\0${origin.file.text}`), texts];
    }),
);

function readTexts(language: string, subject: TextLintInput): readonly LocatedText[] {
  return [
    ...listFilePairs(language, subject).flatMap(([base, file]) => listFileTexts(base, file)),
    ...pairTextTables(language, subject).flatMap(([base, file]) =>
      Object.entries(pickTextEntries(file)).map(([key, text]): LocatedText => {
        const pointer = `/${escapePointer(key)}`;
        return { file, pointer, origin: { file: base, pointer }, text, readers: 'everybody' };
      }),
    ),
  ];
}

type FilePair = readonly [base: SourceFile, file: SourceFile];

/** Returns the files of a language, each with its original. In the base language, a file is its own original. */
function listFilePairs(language: string, { set, screens }: TextLintInput): readonly FilePair[] {
  const catalogues = [...set.catalogues.values()];
  const shared = pairByName(new Map([...set.shared, ...set.sharedTexts]), language, set);
  const own = [...screens.values()].flatMap(({ files: { ui, translations } }): readonly FilePair[] => {
    const file = language === set.baseLanguage ? ui : translations.get(language);
    return file ? [[ui, file]] : [];
  });
  return [...shared.filter(([base]) => !catalogues.includes(base)), ...own];
}

/** Returns the text tables of a language, each with its original. */
export function pairTextTables(language: string, { set }: TextLintInput): readonly FilePair[] {
  const common = pairByName(set.commonTexts, language, set);
  const [base, file] = [set.catalogues.get(set.baseLanguage), set.catalogues.get(language)];
  return base && file ? [[base, file], ...common] : common;
}

/** Pairs each file with its translation, e.g. `portal.json` with `portal.pt.json`. */
function pairByName(
  files: ReadonlyMap<string, SourceFile>,
  language: string,
  set: TextLintInput['set'],
): readonly FilePair[] {
  const originals = [...files].filter(([name]) =>
    set.languages.slice(1).every((own) => !name.endsWith(`.${own}.json`)),
  );
  return originals.flatMap(([name, base]): readonly FilePair[] => {
    const file = language === set.baseLanguage ? base : files.get(name.replace(/json$/, `${language}.json`));
    return file ? [[base, file]] : [];
  });
}

function listFileTexts(base: SourceFile, file: SourceFile): readonly LocatedText[] {
  const errors = listErrorPointers(base);
  const texts =
    file === base
      ? [...indexTextsByPointer(file.value)].map(([pointer, text]) => ({ pointer, address: pointer, translated: text }))
      : pairTextsWithTranslations(base.value, file.value);
  return texts.flatMap(({ pointer, address, translated: text }): readonly LocatedText[] => {
    const origin = { file: base, pointer };
    if (text === undefined) return [];
    return [{ file, pointer: address, origin, text, readers: 'everybody', isError: errors.has(pointer) }];
  });
}

/** Returns the pointers of error texts without a link. */
function listErrorPointers({ value }: SourceFile): ReadonlySet<string> {
  const found = ['/notices', '/$defs'].flatMap((part) => {
    const notices = findByPointer(value, part);
    return Object.entries(isObject(notices) ? notices : {}).flatMap(([name, notice]) => {
      const isError = isObject(notice) && notice['intent'] === 'error' && notice['link'] === undefined;
      return isError ? [`${part}/${escapePointer(name)}/text`] : [];
    });
  });
  return new Set(found);
}
