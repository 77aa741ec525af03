import type { Localized } from '../../localized.ts';
import { say } from '../../sources/say.ts';
import { lengthOf, ownWords, sentencesOf, wordFinder, type Said } from './own-words.ts';
import type { Readers, Replacements, Wording } from './wording.ts';

/** The rules that texts are held to. */
export type WordingRule =
  | 'text/plain'
  | 'text/unfinished'
  | 'text/voice'
  | 'text/name'
  | 'text/blame'
  | 'text/plural'
  | 'text/advice'
  | 'text/language';

/** What is wrong with the words of a text. */
export interface WordingFault {
  readonly rule: WordingRule;
  readonly message: Localized;
  readonly hint: Localized;
  /** Where in the text. */
  readonly at: number;
  /** The text with other words; absent: a person has to find them. */
  readonly mended?: string;
}

/** A text that people read. */
export interface ReadText {
  readonly text: string;
  readonly readers: Readers;
  /** It says that something went wrong, and leads nowhere by itself. */
  readonly isError?: boolean;
}

/** Holds texts of one language to its wording. */
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
      ...(readers === 'everybody' ? foreignIn(own) : []) // staff reads the names of keys as well
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

/** A plural made by a machine: `solicitud(es)`, `inscripto/a`, `tod@s`. */
const madePlural = /\p{L}{2,}(?:\(\p{L}{1,3}\)|\/(?:[oa]s?|s|es)(?!\p{L})|@s?(?!\p{L}))/gu;

function pluralsIn(own: string): readonly WordingFault[] {
  return [...own.matchAll(madePlural)].map(({ 0: word, index }) => ({
    rule: 'text/plural',
    message: say`This says "${word}".`,
    hint: say`Write one sentence for one and another for many, or one that fits both.`,
    at: index,
  }));
}
