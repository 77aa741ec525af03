import type { Json, JsonObject } from '../../../core/json.ts';
import { everyFieldOf } from '../../screen/fields-of-schema.ts';
import { t, type AnalysisRule, type Finding } from '../finding.ts';
import type { Localized } from '../../localized.ts';
import type { Subject } from '../subject.ts';

/** A rule of a field that refuses nothing, or everything. */
export const ruleDead: AnalysisRule<Subject> = {
  id: 'rule/dead',
  severity: 'N',
  find: ({ screens }) =>
    [...screens.values()].flatMap(({ schema, files }): readonly Finding[] => {
      const file = files.schema;
      if (!schema || !file) return [];
      return everyFieldOf(schema).flatMap(([, field, , pointer]) =>
        deadIn(field).map(([keyword, message]) => ({
          file,
          pointer: `${pointer}/${keyword}`,
          message,
          hint: t('rule-dead.removeTheRuleOr'),
        })),
      );
    }),
};

function deadIn(field: JsonObject): readonly (readonly [keyword: string, message: Localized])[] {
  const found: (readonly [string, Localized])[] = [];
  const nothing = t('rule-dead.thisRuleRefusesNothing');
  const dead = (keyword: string, why: Localized, what = nothing) =>
    found.push([keyword, t('rule-dead.text', { what, why })]);
  const { minLength, maxLength, minimum, maximum, pattern, enum: choices } = field;
  if (minLength === 1) dead('minLength', t('rule-dead.anEmptyTextIs'));
  const isAbove = (low: Json | undefined, high: Json | undefined) =>
    typeof low === 'number' && typeof high === 'number' && low > high;
  const all = t('rule-dead.thisRuleRefusesEverything');
  if (isAbove(minLength, maxLength)) dead('minLength', t('rule-dead.itAsksForMore'), all);
  if (isAbove(minimum, maximum)) dead('minimum', t('rule-dead.itAsksForMore2'), all);
  const fixed = typeof pattern === 'string' ? /^\^([\wÁÉÍÓÚÑáéíóúñ ]+)\$$/.exec(pattern)?.[1] : undefined;
  if (fixed !== undefined && typeof maxLength === 'number' && maxLength >= fixed.length)
    dead('maxLength', t('rule-dead.patternAdmitsASingle'));
  if (Array.isArray(choices) && typeof pattern === 'string') {
    const wrong = choices.find((choice: Json) => typeof choice === 'string' && !new RegExp(pattern, 'u').test(choice));
    if (wrong !== undefined)
      dead('enum', t('rule-dead.patternRefusesTheChoice', { wrong: String(wrong) }), t('rule-dead.aChoiceIsNever'));
  }
  return found;
}
