import { escapePointer } from '../../../../core/json-pointer.ts';
import { isObject } from '../../../../core/json.ts';
import { everyFieldOf, propertiesOf } from '../../../screen/fields-of-schema.ts';
import { say } from '../../../sources/say.ts';
import type { LintRule, Finding } from '../../finding.ts';
import { placeInSchema } from '../../places.ts';
import type { Subject } from '../../subject.ts';
import { textsIn } from '../../wording/read-texts.ts';

/** A day that was written for ever and has passed: a form begins with it, takes nothing later, or a text asks for something before it. */
export const rulePast: LintRule<Subject> = {
  id: 'rule/past',
  severity: 'W',
  find: (subject) => [...ofPrefills(subject), ...ofRules(subject), ...ofTexts(subject)],
};

function hasPassed(value: unknown): value is string {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}/.test(value) && Date.parse(value) < Date.now();
}

function ofPrefills({ flows, screens }: Subject): readonly Finding[] {
  return flows.flatMap(({ flow, file, placeOf }) =>
    Object.entries(flow.states).flatMap(([state, { prefill = {}, screen = '' }]) => {
      const fields = propertiesOf(screens.get(screen)?.schema ?? {});
      return Object.entries(prefill)
        .filter(([field, value]) => fields[field] && hasPassed(value))
        .map(([field, value]) => ({
          file,
          pointer: placeOf(`/states/${escapePointer(state)}/prefill/${escapePointer(field)}`),
          message: say`The form begins with a day that has passed: ${String(value)}.`,
          hint: say`Let it begin with a variable or a fact, or empty.`,
        }));
    }),
  );
}

function ofRules(subject: Subject): readonly Finding[] {
  return [...subject.screens.values()].flatMap(({ schema, files }) =>
    everyFieldOf(schema ?? {}).flatMap(([, { calendarDate }, , pointer]): readonly Finding[] => {
      if (!files.schema || !isObject(calendarDate)) return [];
      const { from, to } = calendarDate;
      if (typeof from === 'string' && typeof to === 'string' && from > to)
        return [
          {
            ...placeInSchema(subject, files.schema, `${pointer}/calendarDate/from`),
            message: say`No day is taken: "from" is after "to".`,
            hint: say`Write the earlier day in "from".`,
          },
        ];
      if (!hasPassed(to)) return [];
      return [
        {
          ...placeInSchema(subject, files.schema, `${pointer}/calendarDate/to`),
          message: say`No day from now on is taken: "to" has passed (${to}).`,
          hint: say`Write a later day, or remove "to".`,
        },
      ];
    }),
  );
}

/** Days behind a word that ends a time: "hasta el 31/12/2024". */
function ofTexts(subject: Subject): readonly Finding[] {
  return Object.entries(subject.contract.wording ?? {}).flatMap(([language, { until = [] }]) => {
    if (until.length === 0) return [];
    const ends = new RegExp(String.raw`(?<!\p{L})(?:${until.join('|')}) (\d{1,2})/(\d{1,2})/(\d{4})(?!\d)`, 'giu');
    return textsIn(language, subject).flatMap(({ file, pointer, text }) =>
      (text.includes('/') ? [...text.matchAll(ends)] : []).flatMap(
        ([said, day = '', month = '', year = '']): readonly Finding[] =>
          hasPassed([year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'))
            ? [
                {
                  file,
                  pointer,
                  message: say`"${said}": that day has passed.`,
                  hint: say`Write a later day, or a placeholder of the flow, or remove the text.`,
                },
              ]
            : [],
      ),
    );
  });
}
