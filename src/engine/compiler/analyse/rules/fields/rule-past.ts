import { escapePointer } from '../../../../core/json-pointer.ts';
import { isObject } from '../../../../core/json.ts';
import { everyFieldOf, propertiesOf } from '../../../screen/fields-of-schema.ts';
import { say } from '../../../sources/say.ts';
import type { AnalysisRule, Finding } from '../../finding.ts';
import { placeInSchema } from '../../places.ts';
import type { Subject } from '../../subject.ts';

/** A day that was written for ever and has passed: a form begins with it, or takes nothing later. */
export const rulePast: AnalysisRule<Subject> = {
  id: 'rule/past',
  severity: 'W',
  find: (subject) => [...ofPrefills(subject), ...ofRules(subject)],
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
      if (!files.schema || !isObject(calendarDate) || !hasPassed(calendarDate.to)) return [];
      return [
        {
          ...placeInSchema(subject, files.schema, `${pointer}/calendarDate/to`),
          message: say`No day from now on is taken: "to" has passed (${calendarDate.to}).`,
          hint: say`Write a later day, or remove "to".`,
        },
      ];
    }),
  );
}
