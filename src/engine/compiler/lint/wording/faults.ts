import type { Localized } from '../../localized.ts';
import { say } from '../../sources/say.ts';
import { lengthOf, ownWords, sentencesOf, wordFinder, type Said, wordsIn } from './own-words.ts';
import type { Readers, Replacements, Wording } from './wording.ts';

export type WordingRule =
  | 'text/plain'
  | 'text/unfinished'
  | 'text/voice'
  | 'text/name'
  | 'text/blame'
  | 'text/plural'
  | 'text/advice'
  | 'text/language';

export interface WordingFault {
  readonly rule: WordingRule;
  readonly message: Localized;
  readonly hint: Localized;
  /** Index in the text. */
  readonly at: number;
  /** The corrected text. Absent if the correction is not obvious. */
  readonly mended?: string;
}

export interface ReadText {
  readonly text: string;
  readonly readers: Readers;
  /** An error message without a link. It has to give advice. */
  readonly isError?: boolean;
}

export function wordingValidator(wording: Wording): (read: ReadText) => readonly WordingFault[] {
  const lists = listsOf(wording);
  const adviceIn = wordFinder(wording.advice);
  const foreignIn = wordFinder(wording.foreign ?? []);
  const unfinishedIn = wordFinder(wording.unfinished ?? []);
  return ({ text, readers, isError = false }) => {
    const own = ownWords(text, wording.quoted);
    return [
      ...sentencesOf(own)
        .map(lengthOf)
        .filter((length) => length > wording.longest)
        .map((length): WordingFault => ({
          rule: 'text/plain',
          message: say`A sentence of ${length} words.`,
          hint: say`Make two of it.`,
          at: 0,
        })),
      ...lists
        .filter(({ forStaff }) => forStaff || readers === 'everybody')
        .flatMap(({ rule, find, hintOf, insteadOf }) =>
          find(own).map((said) => ({ ...faultOf(rule, text, said, insteadOf(said)), hint: hintOf(said) })),
        ),
      ...pluralsIn(own),
      ...unfinishedIn(own)
        .slice(0, 1)
        .map(({ word, at }): WordingFault => ({
          rule: 'text/unfinished',
          message: say`This says "${word}": the text is still to be written.`,
          hint: say`Write it before anybody reads it.`,
          at,
        })),
      ...(readers === 'everybody' ? foreignIn(own) : []) // staff also reads names of keys
        .slice(0, 1)
        .map(({ word, at }): WordingFault => ({
          rule: 'text/language',
          message: say`"${word}" is a word of another language.`,
          hint: say`Write this text in the language of its file.`,
          at,
        })),
      ...(isError && /\p{L}/u.test(own) && adviceIn(text).length === 0 ? [noAdvice] : []),
    ];
  };
}

const noAdvice: WordingFault = {
  rule: 'text/advice',
  message: say`The error does not say what to do.`,
  hint: say`Say what whoever reads it can do, or add a link.`,
  at: 0,
};

interface WordList {
  readonly rule: WordingRule;
  readonly forStaff: boolean;
  readonly find: (text: string) => readonly Said[];
  readonly insteadOf: (said: Said) => string;
  readonly hintOf: (said: Said) => Localized;
}

function listsOf({ plain, voice, names, blame }: Wording): readonly WordList[] {
  return [
    listOf('text/plain', plain, { usual: say`Say it in everyday words.` }),
    listOf('text/voice', voice, { forStaff: true, usual: say`Speak to who reads as everywhere else.` }),
    listOf('text/blame', blame, { usual: say`Say what to do, not who is to blame.` }),
    ...names.map(({ use, not, except = [] }) =>
      listOf('text/name', not, { except, usual: say`Its name is "${use}".` }),
    ),
  ];
}

function listOf(
  rule: WordingRule,
  words: Replacements,
  {
    except = [],
    forStaff = false,
    usual,
  }: { readonly except?: readonly string[]; readonly forStaff?: boolean; readonly usual: Localized },
): WordList {
  const insteadOf = ({ entry }: Said) => words[entry] ?? '';
  return {
    rule,
    forStaff,
    find: wordFinder(Object.keys(words), except),
    insteadOf,
    hintOf: (said) => (insteadOf(said) === '' ? usual : say`Write "${insteadOf(said)}".`),
  };
}

function faultOf(rule: WordingRule, text: string, { word, at }: Said, instead: string): Omit<WordingFault, 'hint'> {
  const fitting = /^\p{Lu}/u.test(word) ? instead.charAt(0).toUpperCase() + instead.slice(1) : instead;
  return {
    rule,
    message: say`This says "${word}".`,
    at,
    ...(instead !== '' && { mended: text.slice(0, at) + fitting + text.slice(at + word.length) }),
  };
}

/** Plural or gender variants in one word: `solicitud(es)`, `inscripto/a`, `tod@s`. */
const madePlural = /\p{L}{2,}(?:\(\p{L}{1,3}\)|\/(?:[oa]s?|s|es)(?!\p{L})|@s?(?!\p{L}))/gu;

function pluralsIn(own: string): readonly WordingFault[] {
  return [...own.matchAll(madePlural)].map(({ 0: word, index }) => ({
    rule: 'text/plural',
    message: say`This says "${word}".`,
    hint: say`Write one sentence for one and another for many, or one that fits both.`,
    at: index,
  }));
}

/** Score from 0 to 1 of how well a translation fits a text. */
type Fit = (text: string, translated: string) => number;

/** Learns word correspondences from all translations. Returns a function that scores a translation by them and by similar words. */
export function translationFit(pairs: readonly { readonly text: string; readonly translated: string }[]): Fit {
  const [own, others, together] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const { text, translated } of pairs) {
    const [here, there] = [wordsOnce(text), wordsOnce(translated)];
    for (const word of here) count(own, word);
    for (const other of there) count(others, other);
    for (const word of here) for (const other of there) count(together, `${word} ${other}`);
  }
  const words = new Map<string, readonly string[]>();
  const wordsOf = (text: string) => {
    const known = words.get(text) ?? wordsOnce(text);
    words.set(text, known);
    return known;
  };
  const affinity = (word: string, other: string) => {
    const both = together.get(`${word} ${other}`) ?? 0;
    const known = both < 2 ? 0 : (2 * both) / ((own.get(word) ?? 0) + (others.get(other) ?? 0));
    return Math.max(known, likeness(word, other));
  };
  const covered = (all: readonly string[], by: (word: string) => number) =>
    all.length === 0 ? 0 : all.reduce((sum, word) => sum + by(word), 0) / all.length;
  return (text, translated) => {
    const [here, there] = [wordsOf(text), wordsOf(translated)];
    const forth = covered(here, (word) => Math.max(0, ...there.map((other) => affinity(word, other))));
    const back = covered(there, (other) => Math.max(0, ...here.map((word) => affinity(word, other))));
    return (forth + back) / 2;
  };
}

function wordsOnce(text: string): readonly string[] {
  const words = new Set(wordsIn(text));
  const long = [...words].filter((word) => word.length > 2 || /\d/.test(word));
  return long.length > 0 ? long : [...words];
}

function count(table: Map<string, number>, key: string): void {
  table.set(key, (table.get(key) ?? 0) + 1);
}

/** Share of the common prefix of two words, which related languages often have. */
function likeness(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same < 3 && a !== b ? 0 : same / Math.max(a.length, b.length);
}
