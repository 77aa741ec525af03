import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import type { Subject } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** Braces that are no placeholder, and are read as they stand. */
export const textBraces: LintRule<Subject> = {
  id: 'text/braces',
  severity: 'E',
  find: (subject) =>
    subject.set.languages.flatMap((language) =>
      textsIn(language, subject).flatMap(({ file, pointer, text }): readonly Finding[] => {
        const [wrong] = looseBraces(text);
        if (wrong === undefined) return [];
        const name = wrong.replaceAll(/[{}\s]/g, '');
        return [
          {
            file,
            pointer,
            message: say`People read "${wrong}" as it stands: this is no placeholder.`,
            hint: say`Write {${name === '' ? 'x' : name}}, with one brace on each side and no blank.`,
            ...(/^\w+$/.test(name) && { fix: [{ file: file.path, pointer, value: text.replace(wrong, `{${name}}`) }] }),
          },
        ];
      }),
    ),
};

/** The parts of a text with braces that are not a placeholder. */
function looseBraces(text: string): readonly string[] {
  return [...text.matchAll(/\{+[^{}]*\}+|[{}]/g)].flatMap(([part]) => (/^\{\w+\}$/.test(part) ? [] : [part]));
}
