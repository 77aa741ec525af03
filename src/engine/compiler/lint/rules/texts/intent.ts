import { isObject } from '../../../../core/json.ts';
import { valueAt } from '../../../../core/json-pointer.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { wordFinder } from '../../wording/own-words.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A notice, or a screen by its title, in the colour and with the sign of the opposite of what it says. */
export const textIntent: LintRule<Subject> = {
  id: 'text/intent',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, { success = [], failure = [] }]) => {
      const [goodIn, badIn] = [wordFinder(success), wordFinder(failure)];
      return textsIn(language, subject).flatMap(({ file, pointer, origin, text }): readonly Finding[] => {
        const isTitle = /^\/title(?:\/\d+\/text)?$/.test(origin.pointer);
        const own = valueAt(origin.file.value, isTitle ? '' : origin.pointer.replace(/\/text$/, ''));
        const key = isTitle ? 'tone' : 'intent';
        const intent = isObject(own) ? own[key] : undefined;
        const [[good], [bad]] = [goodIn(text), badIn(text)];
        const found = intent === 'success' ? bad : intent === 'error' && !bad ? good : undefined;
        if (!found || !(isTitle || origin.pointer.endsWith('/text'))) return [];
        return [
          {
            file,
            pointer,
            message: isTitle
              ? say`"${found.word}" is the title of a screen whose tone is "${String(intent)}".`
              : say`"${found.word}" is said in a notice whose intent is "${String(intent)}".`,
            hint: say`Write "${intent === 'success' ? 'error' : 'success'}" in "${key}", or say what went ${intent === 'success' ? say`well` : say`wrong`}.`,
          },
        ];
      });
    }),
};
