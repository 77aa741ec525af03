import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A quotation, parenthesis, question or exclamation of which one end is missing. */
export const textQuotes: LintRule<Subject> = {
  id: 'text/quotes',
  severity: 'W',
  find: (subject) =>
    subject.set.languages.flatMap((language) =>
      textsIn(language, subject).flatMap(({ file, pointer, text }): readonly Finding[] => {
        const missing = missingEnd(text);
        return missing === undefined
          ? []
          : [
              {
                file,
                pointer,
                message: say`"${missing.there}" has no "${missing.lacking}".`,
                hint: say`Write both, or none.`,
              },
            ];
      }),
    ),
};

/** Beginnings and their ends. */
const pairs = ['«»', '“”', '()', '[]'].map(([begin = '', end = '']) => [begin, end] as const);
/** Beginnings of Spanish, whose ends stand alone in other languages. */
const openings = [
  [String.fromCodePoint(0xbf), '?'],
  [String.fromCodePoint(0xa1), '!'],
] as const;

function missingEnd(text: string): { readonly there: string; readonly lacking: string } | undefined {
  const count = (sign: string) => text.split(sign).length - 1;
  for (const [begin, end] of [...pairs, ...openings])
    if (count(begin) > count(end)) return { there: begin, lacking: end };
  for (const [begin, end] of pairs) if (count(end) > count(begin)) return { there: end, lacking: begin };
  return undefined;
}
