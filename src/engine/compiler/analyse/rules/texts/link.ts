import { say } from '../../../sources/say.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { wordsIn } from '../../wording/own-words.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A link or button whose text does not say where it leads: read alone, as screen readers list them, it says nothing. */
export const textLink: AnalysisRule<Subject> = {
  id: 'text/link',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, { vague = [] }]) => {
      const known = new Set(vague.map((entry) => wordsIn(entry).join(' ')));
      return textsIn(language, subject).flatMap(({ file, pointer, origin, text }): readonly Finding[] =>
        isPressed(origin.pointer) && known.has(wordsIn(text).join(' '))
          ? [
              {
                file,
                pointer,
                message: say`"${text}" does not say where it leads.`,
                hint: say`Say it in the link itself: whoever hears the list of links hears nothing else.`,
              },
            ]
          : [],
      );
    }),
};

function isPressed(pointer: string): boolean {
  return /\/(?:link|other|(?:actions|links|ui:links)\/\d+)\/text$/.test(pointer);
}
