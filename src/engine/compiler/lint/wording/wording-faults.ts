import { type ProblemExplanation, explain, localize, type LocalizedText } from '../../sources/localized-text.ts';
import {
  createImpossibleDateFinder,
  createReversedRangeFinder,
  type CalendarWords,
  type RangeWords,
} from './written-dates.ts';
import type { SpellingRules } from './misspelling-finder.ts';
import { createVerbFinder, type VerbRules } from './verb-forms.ts';
import {
  countWords,
  maskUncheckedTextParts,
  splitSentences,
  capitalizeLike,
  createWordFinder,
  type WordMatch,
  listNormalizedWords,
  removeAccents,
} from './words.ts';

export const wordingRuleIds = [
  'text/plain',
  'text/unfinished',
  'text/voice',
  'text/name',
  'text/blame',
  'text/plural',
  'text/advice',
  'text/language',
  'text/hours',
  'text/date',
] as const;

type WordingRule = (typeof wordingRuleIds)[number];

interface WordingFault extends ProblemExplanation {
  readonly rule: WordingRule;
  /** Index of the fault in the text. */
  readonly at: number;
  readonly length?: number;
  /** The corrected text. Absent if there is no obvious correction. */
  readonly corrected?: string;
}

export interface WordingInput {
  readonly text: string;
  readonly readers: TextAudience;
  /** Whether the text is an error message without a link, which must give advice. */
  readonly isError?: boolean;
}

export function createWordingValidator(wording: WordingRules): (read: WordingInput) => readonly WordingFault[] {
  const lists = createWordLists(wording);
  const adviceIn = createWordFinder(wording.advice);
  const foreignIn = createWordFinder(wording.foreign ?? []);
  const unfinishedIn = createWordFinder(wording.unfinished ?? []);
  const hours = wording.hours && buildHours(wording.hours);
  const verbsIn = wording.verbs && createVerbFinder(wording.verbs);
  const datesIn = wording.calendar && createImpossibleDateFinder(wording.calendar);
  const rangesIn = wording.ranges && createReversedRangeFinder(wording.ranges, wording.calendar?.months);
  const vagueIn = createWordFinder((wording.vague ?? []).filter((phrase) => phrase.includes(' ')));
  const examplesIn = createWordFinder(wording.example ?? []);
  function* findFaults({ text, readers }: WordingInput): Iterable<WordingFault> {
    const own = maskUncheckedTextParts(text, wording.quoted);
    for (const length of splitSentences(own).map(countWords))
      if (length > wording.longest)
        yield createFault({ rule: 'text/plain' })(explain`A sentence of ${length} words.
          Split it in two.`);
    const listed = joinFaultsOfPhrases(
      lists.flatMap(({ forStaff, faultsIn }) => (forStaff || readers === 'everybody' ? faultsIn(own, text) : [])),
      vagueIn(own),
    );
    yield* listed;
    for (const { word, at, instead, isAccent } of readers === 'everybody' ? (verbsIn?.(own) ?? []) : []) {
      if (listed.some((fault) => fault.at <= at && at < fault.at + (fault.length ?? 0))) continue;
      const written = capitalizeLike(word, instead);
      const problem = explain`This says "${word}".
        Write "${written}".`;
      const corrected = text.slice(0, at) + written + text.slice(at + word.length);
      yield { ...createFault({ rule: isAccent ? 'text/plain' : 'text/voice', at })(problem), corrected };
    }
    for (const { 0: word, index: at } of own.matchAll(pluralVariants))
      yield createFault({ rule: 'text/plural', at })(explain`This says "${word}".
        Write one sentence for one and another for many, or one that fits both.`);
    const [draft] = draftMark.exec(own) ?? [];
    const unfinished = draft === undefined ? unfinishedIn(own) : [{ word: draft, at: own.indexOf(draft) }];
    for (const { word, at } of unfinished.slice(0, 1))
      yield createFault({ rule: 'text/unfinished', at })(explain`"${word}" is unfinished text.
        Replace it with the final text.`);
    for (const { word, at } of readers === 'everybody' ? foreignIn(own).slice(0, 1) : [])
      // only in texts for users, because texts for staff may contain names of keyboard keys
      yield createFault({ rule: 'text/language', at })(explain`"${word}" is a word from another language.
        Write this text in the language of its file.`);
    const [said] = (hours && own.match(hours)) ?? [];
    if (said !== undefined && readers === 'everybody')
      yield createFault({ rule: 'text/hours', at: own.indexOf(said) })(explain`Opening hours are hard-coded: "${said}".
        They are the setting ${wording.hours?.setting ?? ''}: remove them, or link to the page that shows them.`);
    for (const { at, problem } of [...(datesIn?.(own) ?? []), ...(rangesIn?.(own) ?? [])])
      yield createFault({ rule: 'text/date', at })(problem);
    const contact = hours && readers === 'everybody' ? contactDetails.exec(text) : null;
    if (contact && contact[0] !== text && examplesIn(text.slice(0, contact.index)).length === 0)
      yield createFault({
        rule: 'text/hours',
        at: contact.index,
      })(explain`Contact details are hard-coded: "${contact[0]}".
        Each installation has its own: write their placeholder, or link to the contact page.`);
  }
  /** Finds an error message without advice. Advice in words that a fault corrects, e.g. "intente", counts. */
  const findLackOfAdvice = ({ text, isError = false }: WordingInput, faults: readonly WordingFault[]) => {
    const texts = [text, ...faults.flatMap(({ corrected = [] }) => corrected)];
    const hasWords = /\p{L}/u.test(maskUncheckedTextParts(text, wording.quoted));
    return isError && hasWords && texts.every((own) => adviceIn(own).length === 0)
      ? createFault({ rule: 'text/advice' })(explain`The error does not say what to do.
          Tell the reader what to do, or add a link.`)
      : [];
  };
  return (read) => {
    const found = [...findFaults(read)];
    const faults = [found, findLackOfAdvice(read, found)].flat();
    const [first, second] = faults;
    const official = first && second ? findAlmostQuoted(read.text, wording.quoted) : undefined;
    if (!first || official === undefined) return faults;
    const { rule, at } = first;
    return [
      createFault({ rule, at })(explain`This is almost the official text "${official}".
        Write it exactly like that, or ask for the exception.`),
    ];
  };
}

/** Share of common words from which a text is a changed quotation, and the number of words of such a quotation. */
const minSharedWords = 0.8;
const minQuotedWords = 5;

/** Returns the quotation from which a text differs in a few words. Returns `undefined` if there is none. */
function findAlmostQuoted(text: string, quoted: readonly string[]): string | undefined {
  const own = new Set(listNormalizedWords(text));
  return quoted.find((quotation) => {
    const words = [...new Set(listNormalizedWords(quotation))];
    const shared = words.filter((word) => own.has(word)).length;
    return words.length >= minQuotedWords && shared / Math.max(words.length, own.size) >= minSharedWords;
  });
}

interface WordList {
  readonly forStaff: boolean;
  readonly faultsIn: (own: string, text: string) => readonly WordingFault[];
}

function createWordLists(wording: WordingRules): readonly WordList[] {
  const { plain, stressed = {}, voice, orders = {}, names, blame, asking = {} } = wording;
  const everyday = localize`Say it in everyday words.`;
  const accented = Object.entries(asking).flatMap(([words, verbs]) =>
    words.split(' ').flatMap((word) => verbs.map((verb) => [`${verb} ${removeAccents(word)}`, `${verb} ${word}`])),
  );
  return [
    createWordList('text/voice', orders, localize`Address the reader as in all other texts.`, {
      forStaff: true,
      isFaulty: (before) => orderStart.test(before),
    }),
    createWordList('text/plain', plain, everyday),
    createWordList('text/plain', Object.fromEntries(accented), everyday),
    createWordList('text/plain', stressed, everyday, {
      isFaulty: (before, after) => /\p{L}.*(?<![«“])$/u.test(before) && clauseEnd.test(after), // a quoted word ends no clause
    }),
    createWordList('text/voice', voice, localize`Address the reader as in all other texts.`, { forStaff: true }),
    createWordList('text/blame', blame, localize`Say what to do, not who is to blame.`),
    ...names.map(({ use, not, except = [] }) =>
      createWordList('text/name', not, localize`Its name is "${use}".`, { except }),
    ),
  ];
}

/** Replaces the faults in the words of a vague phrase, such as "clic aquí", by one fault of the phrase. */
function joinFaultsOfPhrases(
  faults: readonly WordingFault[],
  phrases: readonly Pick<WordMatch, 'at' | 'word'>[],
): readonly WordingFault[] {
  return phrases.reduce((all, { at, word }) => {
    const ofPhrase = all.filter((fault) => at <= fault.at && fault.at < at + word.length);
    if (ofPhrase.length < 2) return all;
    const joined = createFault({ rule: 'text/plain', at })(explain`This says "${word}".
      Name the link or the button, or say where it leads.`);
    return [...all.filter((fault) => !ofPhrase.includes(fault)), { ...joined, length: word.length }];
  }, faults);
}

interface WordListOptions {
  readonly except?: readonly string[];
  readonly forStaff?: boolean;
  /** Whether an entry is a fault between the texts `before` and `after`. If absent, the entry is always a fault. */
  readonly isFaulty?: (before: string, after: string) => boolean;
}

/** Pattern of the text before an imperative: the beginning of a sentence or clause. */
const orderStart = /(?:^|[.,:;!?…»”)]\s+|[¿¡«“(*[])(?:no\s+)?$/iu;
/** Pattern of the text after the last word of a clause. Excludes the end of a text, because labels end in words such as "Desde el". */
const clauseEnd = /^[.;!?…)»”](?![\p{L}\d])/u;

function createWordList(
  rule: WordingRule,
  words: Replacements,
  usual: LocalizedText,
  { except = [], forStaff = false, isFaulty }: WordListOptions = {},
): WordList {
  const find = createWordFinder(Object.keys(words), except);
  return {
    forStaff,
    faultsIn: (own, text) =>
      find(own).flatMap(({ word, at, entry }) => {
        if (isFaulty?.(own.slice(0, at), own.slice(at + word.length)) === false) return [];
        const isNegated = rule === 'text/voice' && isFaulty !== undefined && /(?<!\p{L})no $/iu.test(own.slice(0, at));
        const ending = (words[entry] ?? '').replace(/^\*/, word.toLowerCase().slice(0, -entry.length + 1)); // "*ción" for "*cion"
        const instead = isNegated ? `${entry}s` : ending;
        const corrected = text.slice(0, at) + capitalizeLike(word, instead) + text.slice(at + word.length);
        const hint = instead === '' ? usual : localize`Write "${instead}".`;
        const found = { rule, message: localize`This says "${word}".`, hint, at, length: word.length };
        return { ...found, ...(instead !== '' && { corrected }) };
      }),
  };
}

/** Marks of drafts, which are only reported in capitals: "todo" is also a word. */
const draftMark = /(?<!\p{L})(?:TODO|FIXME)(?!\p{L})|\?\?\?/u;

function createFault({ rule, at = 0 }: { readonly rule: WordingRule; readonly at?: number }) {
  return (problem: ProblemExplanation): WordingFault => ({ rule, ...problem, at });
}

/** Pattern of e-mail addresses and of phone numbers of at least seven digits. */
const contactDetails =
  /[\w.+-]+@[\w-]+\.[\w.-]*\w|(?<![\d.,:/{-])(?=(?:\D?\d){7})(?:\+\d{1,3} ?)?\d{2,4}[ -]\d{3,4}(?:[ -]\d{2,4})*(?![\d.,:/-]*\d)/u;

/** Returns a pattern of opening days and hours: "lunes a viernes", "9:00 a 17:00", "de 9 a 17 h". */
function buildHours({ days, to, from }: NonNullable<WordingRules['hours']>): RegExp {
  const until = String.raw`\s+(?:${to.join('|')})\s+`;
  const [day, time] = [`(?:${days.join('|')})`, String.raw`\d{1,2}(?:[:.]\d\d|\s?(?:hs?|horas))`];
  const ranges = [
    day + until + day,
    time + until + time,
    String.raw`(?:${from.join('|')})\s+\d{1,2}${until}(?:${time}|(?:1\d|2[0-4])(?=[.,;)]|$))`,
  ];
  return new RegExp(String.raw`(?<![\p{L}\d])(?:${ranges.join('|')})(?![\p{L}\d])`, 'iu');
}

/** Pattern of plural or gender variants in one word: `solicitud(es)`, `inscripto/a`, `tod@s`. */
const pluralVariants = /\p{L}{2,}(?:\(\p{L}{1,3}\)|\/(?:[oa]s?|s|es)(?!\p{L})|@s?(?!\p{L}))/gu;

/** Words and their replacements, in lower case. `*` matches any letters. If the replacement is empty, the sentence has to be rewritten. */
type Replacements = Readonly<Record<string, string>>;

/** A term of the project, and the words that it replaces. */
interface NamedEntry {
  readonly use: string;
  readonly not: Replacements;
  /** Phrases in which the replaced words have another meaning. */
  readonly except?: readonly string[];
}

/** Writing rules of one language. */
export interface WordingRules extends SpellingRules {
  /** Maximum number of words in a sentence. */
  readonly longest: number;
  /** Jargon, with plain replacements. */
  readonly plain: Replacements;
  /** Words that cannot end a clause, with the similar word that can, e.g. "el" and "él". */
  readonly stressed?: Replacements;
  /** Words of negative sentences. Only the first one, e.g. "no", must have a counterpart in a translation. */
  readonly negations?: readonly string[];
  /** Words that address the reader in a way that the project does not use, with replacements. */
  readonly voice: Replacements;
  /** Formal imperatives with their replacements. They are only reported where an order begins, because subjunctives have the same form. */
  readonly orders?: Replacements;
  /** Verbs whose forms in the wrong person or without their accent are reported. */
  readonly verbs?: VerbRules;
  readonly names: readonly NamedEntry[];
  /** Words that blame the reader, with replacements. */
  readonly blame: Replacements;
  /** Words that give advice. An error message needs at least one. */
  readonly advice: readonly string[];
  /** Units of length limits, e.g. "caracteres". */
  readonly units?: readonly string[];
  /** Words that begin the label of a consent, e.g. "acepto". */
  readonly consent?: readonly string[];
  /** Words that mark unfinished texts, e.g. "a definir". */
  readonly unfinished?: readonly string[];
  /** Texts of links and buttons without a meaning out of context, e.g. "acá". */
  readonly vague?: readonly string[];
  /** Terms of the base language with their translations. */
  readonly terms?: Replacements;
  /** Words, separated by spaces, that need their accent after some others, e.g. { "cuál cuáles": ["elegí"] }. */
  readonly asking?: Readonly<Record<string, readonly string[]>>;
  /** Numbers in words, e.g. "tres". */
  readonly counts?: readonly string[];
  /** Words of success messages. `failure` has the words of failure messages. */
  readonly success?: readonly string[];
  readonly failure?: readonly string[];
  /** Words that mark a field as optional. */
  readonly optional?: readonly string[];
  /** Words before the smallest or the largest value of a field, e.g. "hasta". */
  readonly bounds?: readonly string[];
  /** Words before a number next to which the smallest or the largest value begins, e.g. "mayor de". */
  readonly exclusiveBounds?: readonly string[];
  /** Words after the smallest or the largest value of a field, e.g. "como máximo". */
  readonly boundsAfter?: readonly string[];
  /** Units with the names of the fields that they measure, e.g. { "años": ["edad"] }. */
  readonly measures?: Readonly<Record<string, readonly string[]>>;
  /** Words that mark a field as required. */
  readonly required?: readonly string[];
  /** Words at the beginning of labels that ask for a secret, e.g. "contraseña". */
  readonly secrets?: readonly string[];
  /** Words at the beginning of labels that ask for a code of digits, which is not a number, e.g. "teléfono". */
  readonly identifiers?: readonly string[];
  /** Words in labels of date fields. */
  readonly dates?: readonly string[];
  /** Articles and adjectives grouped by gender and number, e.g. ["el", "un", "nuevo"]. */
  readonly articles?: readonly (readonly string[])[];
  /** Endings of nouns, with the index of their group in `articles`, e.g. { "ción": 1 }. */
  readonly endings?: Readonly<Record<string, number>>;
  /** Names of days and words between opening hours. `setting` is the name of the setting that contains the opening hours. */
  readonly hours?: Readonly<Record<'days' | 'to' | 'from', readonly string[]>> & { readonly setting: string };
  /** Words of ranges, whose numbers have to increase. */
  readonly ranges?: RangeWords;
  /** Names of weekdays and months. If absent, the dates in texts are not checked. */
  readonly calendar?: CalendarWords;
  /** Words in mails that announce a link, e.g. "este vínculo". */
  readonly links?: readonly string[];
  /** Words for the steps of a journey, e.g. "paso". */
  readonly steps?: readonly string[];
  /** Words before a deadline, e.g. "hasta el". */
  readonly until?: readonly string[];
  /** Words before the quoted name of a button, e.g. "tocá". */
  readonly press?: readonly string[];
  /** Words before an example of a value, e.g. "por ejemplo". */
  readonly example?: readonly string[];
  /** Units of durations in minutes, by word, e.g. "horas". */
  readonly spans?: Readonly<Record<string, number>>;
  /** Words of other languages that texts must not contain. */
  readonly foreign?: readonly string[];
  /** Words that are spelled alike in the base language, written here without accents. A text of only these words may be equal in both languages. If absent, identical translations are not reported. */
  readonly same?: readonly string[];
}

/** Audience of a text: users of the portal, or staff, who use other terms. */
export type TextAudience = 'everybody' | 'staff';
