import { uiOf, uiText } from '../../../../core/ui.ts';
import { everyFieldOf, notes } from '../../../screen/fields-of-schema.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { placeInSchema } from '../../places.ts';
import type { Subject } from '../../subject.ts';
import { wordFinder } from '../../wording/own-words.ts';

/** A field that asks for a date and takes any text: everybody writes it in another order. */
export const ruleDate: LintRule<Subject> = {
  id: 'rule/date',
  severity: 'W',
  find: (subject) => {
    const saidIn = wordFinder(subject.contract.wording?.[subject.set.baseLanguage]?.dates ?? []);
    return [...subject.screens.values()].flatMap(({ schema, ui, files }) =>
      everyFieldOf(schema ?? {}).flatMap(([name, field, , pointer]): readonly Finding[] => {
        const title = uiText(ui, name, 'ui:title') ?? '';
        const isFree = Object.keys(field).every((keyword) => free.has(keyword) || notes.includes(keyword));
        const isDrawn = uiOf(ui, name)['ui:readonly'] !== true && uiText(ui, name, 'ui:widget') !== 'hidden';
        if (!files.schema || field.type !== 'string' || !isFree || !isDrawn || saidIn(title).length === 0) return [];
        const place = placeInSchema(subject, files.schema, `${pointer}/type`);
        const at = place.pointer.replace(/type$/, 'format');
        return [
          {
            ...place,
            message: say`"${title}" asks for a date, and takes any text.`,
            hint: say`Write "format": "date".`,
            fix: [{ file: place.file.path, pointer: at, value: 'date' }],
          },
        ];
      }),
    );
  },
};

/** What says nothing of the shape of a text. */
const free = new Set(['type', 'minLength', 'maxLength', 'default']);
