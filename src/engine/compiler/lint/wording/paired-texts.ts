import { escapePointer } from '../../../core/json-pointer.ts';
import { textTable } from '../../files/text-table.ts';
import { pairsOf } from '../../shared/texts.ts';
import type { SourceFile } from '../../sources/source-file.ts';
import type { Subject } from '../subject.ts';
import { pairedFiles, pairedTables } from './read-texts.ts';

/** A text of the base language and its translation. */
export interface PairedText {
  /** Of the translation. */
  readonly file: SourceFile;
  readonly pointer: string;
  /** Where the text stands that it translates. */
  readonly base: { readonly file: string; readonly pointer: string };
  readonly text: string;
  readonly translated: string;
}

/** What several rules ask of a set is read once. */
const known = new WeakMap<Subject, Map<string, readonly PairedText[]>>();

/** Every text of a set that has a translation in a language, with it. */
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
      pairsOf(base.value, file.value).flatMap(({ pointer, address, text, translated }) =>
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
