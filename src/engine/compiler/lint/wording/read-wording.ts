import { escapePointer } from '../../../core/json-pointer.ts';
import { checkFormat } from '../../formats/check-format.ts';
import { explain } from '../../sources/say.ts';
import { readSource } from '../../sources/read-source.ts';
import type { Problems, SourceFile } from '../../sources/source-file.ts';
import { wordingValidator, type Wording } from './faults.ts';
import { wordFinder } from './own-words.ts';
import { textTable } from '../../files/plugin-table.ts';
import { listTextPairs } from '../../shared/texts.ts';
import type { Subject } from '../subject.ts';
import { cachedByLanguage, pairedFiles, pairedTables } from './read-texts.ts';

export interface PairedText {
  /** Location of the translation. */
  readonly file: SourceFile;
  readonly pointer: string;
  /** Location of the original. */
  readonly base: { readonly file: string; readonly pointer: string };
  readonly text: string;
  readonly translated: string;
}

/** Returns the translated texts of a language with their originals. */
export const pairedTexts = cachedByLanguage((language, subject): readonly PairedText[] => [
  ...pairedFiles(language, subject).flatMap(([{ path, value }, file]) =>
    listTextPairs(value, file.value).flatMap(({ pointer, address, text, translated }) =>
      translated === undefined ? [] : [{ file, pointer: address, base: { file: path, pointer }, text, translated }],
    ),
  ),
  ...pairedTables(language, subject).flatMap(([base, file]) => {
    const own = textTable(file);
    return Object.entries(textTable(base)).flatMap(([key, text]) => {
      const pointer = `/${escapePointer(key)}`;
      const translated = own[key];
      return translated === undefined ? [] : [{ file, pointer, base: { file: base.path, pointer }, text, translated }];
    });
  }),
]);

type WritingRules = Readonly<Record<string, Omit<Wording, 'quoted'>>>;

/** Quotations by language and by section of their source document. */
type Quotations = Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;

/** Combines the writing rules of each language with its quotations. */
export function createWording(rules: object, quotations: Quotations): Readonly<Record<string, Wording>> {
  const languages = Object.entries(rules).filter(([key]) => !key.startsWith('$')) as [string, WritingRules[string]][]; // the format was checked
  return Object.fromEntries(
    languages.map(([language, own]) => [
      language,
      {
        ...own,
        quoted: Object.values(quotations[language] ?? {})
          .flat()
          .toSorted((a, b) => b.length - a.length), // longest first, because one may contain another
      },
    ]),
  );
}

/** Checks the format and the consistency of a file with writing rules. */
export async function checkWording(root: string, path: string, problems: Problems): Promise<void> {
  const file = await readSource(root, path, problems);
  if (!file || !checkFormat(file, 'wording', problems)) return;
  for (const [language, wording] of Object.entries(createWording(file.value as object, {}))) {
    const faultsIn = wordingValidator(wording);
    const lists = listsIn(wording);
    for (const { at, words, name } of lists) {
      for (const [word, instead] of Object.entries(words)) {
        const report = problems.report(file)(`/${language}${at}/${escapePointer(word)}`);
        if (lists.some((other) => other.at !== at && Object.hasOwn(other.words, word)))
          report(explain`"${word}" stands in another list as well.
            Remove one of them.`);
        const refused = faultsIn({ text: instead, readers: 'everybody' }).find(({ rule }) => rule !== 'text/plain');
        if (refused) report(refused);
        if (name && wordFinder([word], name.except)(name.use).length > 0)
          report(explain`The name itself says "${word}".
            Remove the entry.`);
      }
    }
  }
}

function listsIn({ plain, voice, names, blame }: Wording) {
  return [
    { at: '/plain', words: plain },
    { at: '/voice', words: voice },
    { at: '/blame', words: blame },
    ...names.map((name, index) => ({ at: `/names/${index}/not`, words: name.not, name })),
  ].map((list) => ({ name: undefined, ...list }));
}
