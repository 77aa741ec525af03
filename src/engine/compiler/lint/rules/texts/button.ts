import { textTable } from '../../../files/text-table.ts';
import { guess } from '../../../sources/near.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A text that asks to press a button which nothing is called by: the button has another name by now. */
export const textButton: LintRule<Subject> = {
  id: 'text/button',
  severity: 'W',
  find: (subject) =>
    Object.entries(subject.contract.wording ?? {}).flatMap(([language, { press = [] }]) => {
      if (press.length === 0) return [];
      const asked = new RegExp(String.raw`(?<!\p{L})(?:${press.join('|')}) [«“"]([^»”"{]+)[»”"]`, 'giu');
      const texts = textsIn(language, subject);
      const names = new Set([...texts.map(({ text }) => text), ...ofPlugins(language, subject)]);
      return texts.flatMap(({ file, pointer, text }) =>
        [...text.matchAll(asked)].flatMap(([, name = '']): readonly Finding[] =>
          names.has(name)
            ? []
            : [
                {
                  file,
                  pointer,
                  message: say`Nothing is called "${name}".`,
                  hint: say`${guess(name, names)}Write the text of the button as it stands there.`,
                },
              ],
        ),
      );
    }),
};

function ofPlugins(language: string, { set }: Subject): readonly string[] {
  return [...set.plugins.byName.values()].flatMap(({ texts }) => Object.values(textTable(texts, language)));
}
