import type { Json } from '../../../../core/json.ts';
import { placeholders } from '../../../../core/messages.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { pairedTexts, type PairedText } from '../../wording/paired-texts.ts';
import { wordFinder, wordsIn } from '../../wording/own-words.ts';
import type { Wording } from '../../wording/wording.ts';
import { translationFit } from '../../wording/translation-fit.ts';

/** A text that was not translated: it stands as in the base language. */
export const textSame: LintRule<Subject> = {
  id: 'text/same',
  severity: 'W',
  find: (subject) =>
    subject.set.languages.slice(1).flatMap((language) => {
      const isUntranslated = untranslated(
        subject.contract.wording?.[language],
        subject.contract.wording?.[subject.set.baseLanguage],
      );
      return pairedTexts(language, subject)
        .filter(isUntranslated)
        .map(({ file, pointer, base, text }): Finding => ({ file, pointer, ...saysSame(text), related: [base] }));
    }),
};

/** Whether a text stands in a language as in the base language, though its words are no words of both. */
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
  // what is foreign to the base language text/language says of the file that is wrong
  return ({ text, translated }) => text === translated && !isAlike(text) && foreignIn(text).length === 0;
}

export function saysSame(text: string): Pick<Finding, 'message' | 'hint'> {
  return {
    message: say`"${text}" is not translated.`,
    hint: say`Translate it. Words that are written alike in both languages stand in "same" of src/brand/glossary.json.`,
  };
}

/** Two translations of one file in each other's place. */
export const textExchanged: LintRule<Subject> = {
  id: 'text/exchanged',
  severity: 'W',
  find: (subject) => subject.set.languages.slice(1).flatMap((language) => exchanged(pairedTexts(language, subject))),
};

/** How much better two translations must fit the other way round. */
const margin = 0.4;
/** What fits better than this is left alone. */
const limit = 0.7;

function exchanged(pairs: readonly PairedText[]): readonly Finding[] {
  const fit = translationFit(pairs);
  const doubtful = new Map<string, PairedText[]>();
  for (const pair of pairs) {
    if (pair.text === pair.translated || fit(pair.text, pair.translated) > limit) continue;
    doubtful.set(pair.file.path, [...(doubtful.get(pair.file.path) ?? []), pair]);
  }
  return [...doubtful.values()].flatMap((own) =>
    own.flatMap((first, index) =>
      own.slice(index + 1).flatMap((second): readonly Finding[] => {
        if (first.translated === second.translated || first.text === second.text || !mayStand(first, second)) return [];
        const now = fit(first.text, first.translated) + fit(second.text, second.translated);
        const then = fit(first.text, second.translated) + fit(second.text, first.translated);
        if (then - now < margin) return [];
        return [
          {
            file: first.file,
            pointer: first.pointer,
            message: say`"${first.translated}" and "${second.translated}" stand in each other's place.`,
            hint: say`Exchange them.`,
            related: [{ file: second.file.path, pointer: second.pointer }, first.base],
            fix: [put(first, second.translated), put(second, first.translated)],
          },
        ];
      }),
    ),
  );
}

// What asks for other values is named by another rule, and was never the translation of the other.
function mayStand(first: PairedText, second: PairedText): boolean {
  const asked = (text: string) => [...placeholders(text)].sort().join(' ');
  return asked(first.text) === asked(second.translated) && asked(second.text) === asked(first.translated);
}

function put({ file, pointer }: PairedText, value: Json) {
  return { file: file.path, pointer, value };
}
