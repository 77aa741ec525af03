import { escapePointer } from '../../../core/json-pointer.ts';
import { checkFormat } from '../../formats/check-format.ts';
import { explain } from '../../sources/say.ts';
import { readSource } from '../../sources/read-source.ts';
import type { Problems, SourceFile } from '../../sources/source-file.ts';
import { wordingValidator, type NameOfThing, type Replacements, type Wording } from './faults.ts';
import { wordFinder } from './own-words.ts';
import { textTable } from '../../files/plugin-table.ts';
import { listTextPairs } from '../../shared/texts.ts';
import type { Subject } from '../subject.ts';
import { pairedFiles, pairedTables } from './read-texts.ts';

export interface PairedText {
  /** Location of the translation. */
  readonly file: SourceFile;
  readonly pointer: string;
  /** Location of the original. */
  readonly base: { readonly file: string; readonly pointer: string };
  readonly text: string;
  readonly translated: string;
}

/** Cached: several rules read the same texts. */
const known = new WeakMap<Subject, Map<string, readonly PairedText[]>>();

export function pairedTexts(language: string, subject: Subject): readonly PairedText[] {
  const ofSubject = known.get(subject) ?? new Map<string, readonly PairedText[]>();
  known.set(subject, ofSubject);
  const pairs = ofSubject.get(language) ?? pairsIn(language, subject);
  ofSubject.set(language, pairs);
  return pairs;
}

function pairsIn(language: string, subject: Subject): readonly PairedText[] {
  return [
    ...pairedFiles(language, subject).flatMap(([base, file]) =>
      listTextPairs(base.value, file.value).flatMap(({ pointer, address, text, translated }) =>
        translated === undefined
          ? []
          : [{ file, pointer: address, base: { file: base.path, pointer }, text, translated }],
      ),
    ),
    ...pairedTables(language, subject).flatMap(([base, file]) => {
      const own = textTable(file);
      return Object.entries(textTable(base)).flatMap(([key, text]) => {
        const pointer = `/${escapePointer(key)}`;
        const translated = own[key];
        return translated === undefined
          ? []
          : [{ file, pointer, base: { file: base.path, pointer }, text, translated }];
      });
    }),
  ];
}

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
        const pointer = `/${language}${at}/${escapePointer(word)}`;
        const twice = lists.find((other) => other.at !== at && Object.hasOwn(other.words, word));
        if (twice)
          problems.report(file)(pointer)(explain`"${word}" stands in another list as well.
            Remove one of them.`);
        const refused = faultsIn({ text: instead, readers: 'everybody' }).find(({ rule }) => rule !== 'text/plain');
        if (refused) problems.report(file)(pointer)(refused);
        if (name && wordFinder([word], name.except)(name.use).length > 0)
          problems.report(file)(pointer)(explain`The name itself says "${word}".
            Remove the entry.`);
      }
    }
  }
}

function listsIn({ plain, voice, names, blame }: Wording): readonly {
  readonly at: string;
  readonly words: Replacements;
  readonly name?: NameOfThing;
}[] {
  return [
    { at: '/plain', words: plain },
    { at: '/voice', words: voice },
    { at: '/blame', words: blame },
    ...names.map((name, index) => ({ at: `/names/${index}/not`, words: name.not, name })),
  ];
}
