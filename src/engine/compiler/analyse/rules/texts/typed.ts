import { say } from '../../../sources/say.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { ownWords } from '../../wording/own-words.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A text with blanks too many, or all in capitals, which screen readers may spell. */
export const textTyped: AnalysisRule<Subject> = {
  id: 'text/typed',
  severity: 'W',
  find: (subject) =>
    subject.set.languages.flatMap((language) =>
      textsIn(language, subject).flatMap(({ file, pointer, text }): readonly Finding[] => {
        const tidy = text.trim().replaceAll(/ {2,}/g, ' ');
        if (tidy !== text)
          return [
            {
              file,
              pointer,
              message: say`This text has blanks too many.`,
              hint: say`Write "${tidy}".`,
              fix: [{ file: file.path, pointer, value: tidy }],
            },
          ];
        if (!isShouted(text)) return [];
        return [{ file, pointer, message: say`This text is all in capitals.`, hint: say`Write it as a sentence.` }];
      }),
    ),
};

/** From so many words on; fewer may be a name or what has to be typed. */
const fewest = 3;

function isShouted(text: string): boolean {
  const words = ownWords(text, []).match(/\p{L}{2,}/gu) ?? [];
  return words.length >= fewest && words.every((word) => word === word.toUpperCase());
}
