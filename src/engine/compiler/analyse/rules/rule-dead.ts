import type { Json, JsonObject } from '../../../core/json.ts';
import { escapePointer } from '../../files/source-file.ts';
import { propertiesOf } from '../../screen/fields-of-schema.ts';
import { say, type AnalysisRule, type Finding, type Said } from '../finding.ts';
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
          pointer: `/properties/${escapePointer(name)}/${keyword}`,
          message,
          hint: say('Quitá la regla, o escribí la que querías.', 'Remove the rule, or write the one that was meant.'),
        })),
      );
    }),
};

function deadIn(field: JsonObject): readonly (readonly [keyword: string, message: Said])[] {
  const found: (readonly [string, Said])[] = [];
  const nothing = say('Esta regla no rechaza nada', 'This rule refuses nothing');
  const tell = (keyword: string, why: Said, what = nothing) =>
    found.push([keyword, say(`${what.es}: ${why.es}.`, `${what.en}: ${why.en}.`)]);
  const { minLength, maxLength, minimum, maximum, pattern, enum: choices } = field;
  if (minLength === 1) tell('minLength', say('un texto vacío no se envía', 'an empty text is not sent'));
  const isAbove = (low: Json | undefined, high: Json | undefined) =>
    typeof low === 'number' && typeof high === 'number' && low > high;
  const all = say('Esta regla rechaza todo', 'This rule refuses everything');
  if (isAbove(minLength, maxLength))
    tell('minLength', say('pide más que "maxLength"', 'it asks for more than "maxLength"'), all);
  if (isAbove(minimum, maximum)) tell('minimum', say('pide más que "maximum"', 'it asks for more than "maximum"'), all);
  const fixed = typeof pattern === 'string' ? /^\^([\wÁÉÍÓÚÑáéíóúñ ]+)\$$/.exec(pattern)?.[1] : undefined;
  if (fixed !== undefined && typeof maxLength === 'number' && maxLength >= fixed.length)
    tell(
      'maxLength',
      say('"pattern" admite un solo texto, que es más corto', '"pattern" admits a single text, which is shorter'),
    );
  if (Array.isArray(choices) && typeof pattern === 'string') {
    const wrong = choices.find((choice: Json) => typeof choice === 'string' && !new RegExp(pattern, 'u').test(choice));
    if (wrong !== undefined)
      tell(
        'enum',
        say(`"pattern" rechaza la opción "${String(wrong)}"`, `"pattern" refuses the choice "${String(wrong)}"`),
        say('Una opción nunca vale', 'A choice is never valid'),
      );
  }
  return found;
}
