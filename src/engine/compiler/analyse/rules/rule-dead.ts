import type { Json, JsonObject } from '../../../core/json.ts';
import { pointerOfField, propertiesOf } from '../../screen/fields-of-schema.ts';
import { say, type AnalysisRule, type Finding } from '../finding.ts';
import type { Said } from '../../said.ts';
import type { Subject } from '../subject.ts';

/** A rule of a field that refuses nothing, or everything. */
export const ruleDead: AnalysisRule<Subject> = {
  id: 'rule/dead',
  severity: 'N',
  find: ({ screens }) =>
    [...screens.values()].flatMap(({ schema, files }): readonly Finding[] => {
      const file = files.schema;
      if (!schema || !file) return [];
      return Object.entries(propertiesOf(schema)).flatMap(([name, field]) =>
        deadIn(field).map(([keyword, message]) => ({
          file,
          pointer: `${pointerOfField(name)}/${keyword}`,
          message,
          hint: say('rule-dead.removeTheRuleOr'),
        })),
      );
    }),
};

function deadIn(field: JsonObject): readonly (readonly [keyword: string, message: Said])[] {
  const found: (readonly [string, Said])[] = [];
  const nothing = say('rule-dead.thisRuleRefusesNothing');
  const tell = (keyword: string, why: Said, what = nothing) =>
    found.push([keyword, say('rule-dead.text', { what, why })]);
  const { minLength, maxLength, minimum, maximum, pattern, enum: choices } = field;
  if (minLength === 1) tell('minLength', say('rule-dead.anEmptyTextIs'));
  const isAbove = (low: Json | undefined, high: Json | undefined) =>
    typeof low === 'number' && typeof high === 'number' && low > high;
  const all = say('rule-dead.thisRuleRefusesEverything');
  if (isAbove(minLength, maxLength)) tell('minLength', say('rule-dead.itAsksForMore'), all);
  if (isAbove(minimum, maximum)) tell('minimum', say('rule-dead.itAsksForMore2'), all);
  const fixed = typeof pattern === 'string' ? /^\^([\wÁÉÍÓÚÑáéíóúñ ]+)\$$/.exec(pattern)?.[1] : undefined;
  if (fixed !== undefined && typeof maxLength === 'number' && maxLength >= fixed.length)
    tell('maxLength', say('rule-dead.patternAdmitsASingle'));
  if (Array.isArray(choices) && typeof pattern === 'string') {
    const wrong = choices.find((choice: Json) => typeof choice === 'string' && !new RegExp(pattern, 'u').test(choice));
    if (wrong !== undefined)
      tell('enum', say('rule-dead.patternRefusesTheChoice', { wrong: String(wrong) }), say('rule-dead.aChoiceIsNever'));
  }
  return found;
}
