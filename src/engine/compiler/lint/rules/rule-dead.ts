import type { Json, JsonObject } from '../../../core/json.ts';
import { everyFieldOf } from '../../screen/fields-of-schema.ts';
import type { LintRule, Finding } from '../finding.ts';
import type { Localized } from '../../localized.ts';
import type { Subject } from '../subject.ts';
import { say } from '../../sources/say.ts';

/** A rule of a field that refuses nothing, or everything. */
export const ruleDead: LintRule<Subject> = {
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
          hint: say`Remove the rule, or write the one that was meant.`,
        })),
      );
    }),
};

function deadIn(field: JsonObject): readonly (readonly [keyword: string, message: Localized])[] {
  const found: (readonly [string, Localized])[] = [];
  const nothing = say`This rule refuses nothing`;
  const dead = (keyword: string, why: Localized, what = nothing) => found.push([keyword, say`${what}: ${why}.`]);
  const { minLength, maxLength, minimum, maximum, pattern, enum: choices } = field;
  if (minLength === 1) dead('minLength', say`an empty text is not sent`);
  const isAbove = (low: Json | undefined, high: Json | undefined) =>
    typeof low === 'number' && typeof high === 'number' && low > high;
  const all = say`This rule refuses everything`;
  if (isAbove(minLength, maxLength)) dead('minLength', say`it asks for more than "maxLength"`, all);
  if (isAbove(minimum, maximum)) dead('minimum', say`it asks for more than "maximum"`, all);
  const fixed = typeof pattern === 'string' ? /^\^([\wÁÉÍÓÚÑáéíóúñ ]+)\$$/.exec(pattern)?.[1] : undefined;
  if (fixed !== undefined && typeof maxLength === 'number' && maxLength >= fixed.length)
    dead('maxLength', say`"pattern" admits a single text, which is shorter`);
  if (Array.isArray(choices) && typeof pattern === 'string') {
    const wrong = choices.find((choice: Json) => typeof choice === 'string' && !new RegExp(pattern, 'u').test(choice));
    if (wrong !== undefined) dead('enum', say`"pattern" refuses the choice "${wrong}"`, say`A choice is never valid`);
  }
  return found;
}
