import type { Json } from '../../../../core/json.ts';
import { placeholders } from '../../../../core/messages.ts';
import { type Explanation, explain, say } from '../../../sources/say.ts';
import type { Localized } from '../../../localized.ts';
import { groupBy } from '../../subject.ts';
import { type Finding, reportAt, setRule, textRule } from '../../rule.ts';
import { pairedTexts, type PairedText } from '../../wording/read-wording.ts';
import { wordFinder, wordsIn, ownWords } from '../../wording/own-words.ts';
import { type Wording, translationFit } from '../../wording/faults.ts';

/** Reports typos: wrong blanks, repeated words, needless punctuation, and texts in capitals, which screen readers may spell. */
export const textTyped = textRule('text/typed', 'W', ({ file, pointer, origin, text }) => {
  const slip = blanks(text) ?? slipIn(text) ?? beginning(text, origin.pointer) ?? checkLabelEnd(text, origin.pointer);
  if (slip)
    return reportAt({ file, pointer, value: slip.mended })(explain`${slip.message}
      Write "${slip.mended}".`);
  if (!isShouted(text)) return null;
  return reportAt({ file, pointer })(explain`This text is all in capitals.
    Write it as a sentence.`);
});

interface Correction {
  readonly message: Localized;
  readonly mended: string;
}

function blanks(text: string): Correction | null {
  const mended = text.trim().replaceAll(/ {2,}/g, ' ');
  return mended === text ? null : { message: say`This text has blanks too many.`, mended };
}

/** Typos that any text may have, with their replacement and message. */
const slips: readonly (readonly [RegExp, (part: string) => string, (part: string) => Localized])[] = [
  [
    /(?<![\p{L}\d-])(\p{L}{2,}) \1(?![\p{L}-])/iu,
    (part) => part.slice(0, part.indexOf(' ')),
    (part) => say`"${part}": the word stands twice.`,
  ],
  [/(?<=\p{L}) (?=[,;:.!?](?:\s|$))/u, () => '', () => say`There is a blank before a sign.`],
  [
    /(?<=\p{Ll}{2}[.!?])(?=\p{Lu}\p{Ll})|(?<=\p{L}{2}[,;])(?=\p{L}{2})/u,
    () => ' ',
    () => say`There is no blank behind a sign.`,
  ],
  [/(?<!\.)\.\.(?!\.)|,,|;;|::/, (part) => part.slice(0, 1), (part) => say`"${part}": the sign stands twice.`],
];

function slipIn(text: string): Correction | null {
  const own = ownWords(text, []);
  for (const [pattern, instead, message] of slips) {
    const found = pattern.exec(own);
    if (!found) continue;
    const [part] = found;
    const mended = text.slice(0, found.index) + instead(part) + text.slice(found.index + part.length);
    return { message: message(part), mended };
  }
  return null;
}

/** Texts that begin a sentence. */
const alone = /\/(?:title|ui:title|step|intro|text)$|\/(?:title|intro)\/\d+\/text$/;

function beginning(text: string, pointer: string): Correction | null {
  const [first] = /^\p{Ll}+(?![\p{L}\d.@{-])/u.exec(text) ?? []; // does not match gub.uy or eBay
  if (first === undefined || !alone.test(pointer) || /^\/intro\/\d+\/link/.test(pointer)) return null; // such a link continues a sentence
  return {
    message: say`This text begins with a small letter.`,
    mended: text.charAt(0).toUpperCase() + text.slice(1),
  };
}

function checkLabelEnd(text: string, pointer: string): Correction | null {
  const [sign] = /\s*[:*]$/.exec(text) ?? [];
  if (sign === undefined || !pointer.endsWith('/ui:title')) return null;
  return {
    message: say`The label ends with "${sign.trim()}": which fields are required is shown by itself.`,
    mended: text.slice(0, -sign.length),
  };
}

/** Minimum number of words. Fewer may be a name or something to type. */
const fewest = 3;

function isShouted(text: string): boolean {
  const words = ownWords(text, []).match(/\p{L}{2,}/gu) ?? [];
  return words.length >= fewest && words.every((word) => word === word.toUpperCase());
}

/** Reports translations that are identical to the original. */
export const textSame = setRule('text/same', 'W', (subject) => {
  const { set, contract } = subject;
  return set.languages.slice(1).flatMap((language) => {
    const isUntranslated = untranslated(contract.wording?.[language], contract.wording?.[set.baseLanguage]);
    return pairedTexts(language, subject)
      .filter(isUntranslated)
      .map(({ file, pointer, base, text }) =>
        reportAt({ file, pointer, related: [base] })(saysSame(text, contract.wordingFile)),
      );
  });
});

/** Returns a predicate for untranslated texts: equal to the original, but not made of words that both languages share. */
export function untranslated(
  { same, quoted }: Pick<Wording, 'same' | 'quoted'> = { quoted: [] },
  base?: Wording,
): (pair: Pick<PairedText, 'text' | 'translated'>) => boolean {
  if (!same) return () => false;
  const foreignIn = wordFinder(base?.foreign ?? []);
  const known = new Set(same);
  const isAlike = (text: string) =>
    quoted.includes(text) ||
    wordsIn(text).every((word) => known.has(word) || word.length === 1 || !/\p{L}/u.test(word));
  // text/language reports the original if it is in another language
  return ({ text, translated }) => text === translated && !isAlike(text) && foreignIn(text).length === 0;
}

export function saysSame(text: string, wordingFile = ''): Explanation {
  return explain`"${text}" is not translated.
    Translate it. Words that are written alike in both languages stand in "same" of ${wordingFile}.`;
}

/** Reports pairs of translations in one file that are probably swapped. */
export const textExchanged = setRule('text/exchanged', 'W', (subject) =>
  subject.set.languages.slice(1).flatMap((language) => [...exchanged(pairedTexts(language, subject))]),
);

/** Minimum gain of swapping two translations. */
const margin = 0.4;
/** Pairs that fit better than this are never reported. */
const limit = 0.7;

function* exchanged(pairs: readonly PairedText[]): Iterable<Finding> {
  const fit = translationFit(pairs);
  const doubtful = pairs.filter(({ text, translated }) => text !== translated && fit(text, translated) <= limit);
  for (const own of groupBy(doubtful, ({ file }) => file.path).values())
    for (const [index, first] of own.entries())
      for (const second of own.slice(index + 1)) {
        if (first.translated === second.translated || first.text === second.text || !mayStand(first, second)) continue;
        const now = fit(first.text, first.translated) + fit(second.text, second.translated);
        const then = fit(first.text, second.translated) + fit(second.text, first.translated);
        if (then - now < margin) continue;
        const related = [{ file: second.file.path, pointer: second.pointer }, first.base];
        const fix = [put(first, second.translated), put(second, first.translated)];
        yield reportAt({ file: first.file, pointer: first.pointer, related, fix })(explain`
          "${first.translated}" and "${second.translated}" stand in each other's place.
          Exchange them.`);
      }
}

// Swapping must not change the placeholders. Another rule reports those.
function mayStand(first: PairedText, second: PairedText): boolean {
  const asked = (text: string) => [...placeholders(text)].sort().join(' ');
  return asked(first.text) === asked(second.translated) && asked(second.text) === asked(first.translated);
}

function put({ file, pointer }: PairedText, value: Json) {
  return { file: file.path, pointer, value };
}
