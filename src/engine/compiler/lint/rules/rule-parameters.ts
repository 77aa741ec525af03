import { asObject, isObject, groupBy } from '../../../core/json.ts';
import { explain } from '../../sources/localized-text.ts';
import type { LintInput } from '../lint-input.ts';
import { createDefinitionsLintRule, createFindingAt } from '../lint-rule.ts';

/** Number of screens whose fields show to which shared definition a parameter refers. */
const minScreens = 2;

/**
 * Reports a parameter of a plugin rule that names a field of another kind than on the other screens, if the screen has a field of the usual kind. The
 * kind of a field is the shared definition to which it refers.
 */
export const ruleParameterLintRule = createDefinitionsLintRule('rule/parameter', 'W', (subject) => {
  const byParameter = groupBy(listFieldParameters(subject), ({ parameter }) => parameter);
  const wrong = [...byParameter.values()].flatMap((uses) =>
    uses.flatMap((use) => {
      const { file, name, kinds } = use;
      const others = uses.flatMap((other) => (other.file === file ? [] : (other.kinds[other.name] ?? [])));
      const isUsual = (kind: string | undefined) => others.filter((other) => other === kind).length >= minScreens;
      const [usual] = Object.keys(kinds).filter((field) => isUsual(kinds[field]));
      const isRight = usual === undefined || kinds[name] === undefined || others.includes(kinds[name]);
      return isRight ? [] : { ...use, usual };
    }),
  );
  // one finding per rule: exchanged parameters are one mistake
  return [...groupBy(wrong, ({ file, keyword }) => `${file.path} ${keyword}`).values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const fix = same.map(({ file, pointer, usual }) => ({ file: file.path, pointer, value: usual }));
    const corrected = same.map(({ key, usual }) => `"${key}": "${usual}"`).join(', ');
    return createFindingAt({ file: first.file, pointer: first.pointer, fix })(explain`
      "${first.parameter}" names "${first.name}", which is not the kind of field that it names on other screens.
      Write ${corrected}.`);
  });
});

/** Returns the parameters of plugin rules beside "properties" that name a field. `kinds` has the references of the screen's fields. */
function listFieldParameters({ screens, set }: LintInput) {
  return [...screens.values()].flatMap(({ files: { schema: file } }) => {
    const schema = asObject(file?.value);
    const kinds = Object.fromEntries(
      Object.entries(asObject(schema['properties'])).map(([name, field]) => {
        const kind = asObject(field)['$ref'];
        return [name, typeof kind === 'string' ? kind : undefined];
      }),
    );
    return Object.entries(schema).flatMap(([keyword, parameters]) => {
      const declared = asObject(asObject(set.plugins.rules.get(keyword)?.rule.parameters)['properties']);
      return Object.entries(asObject(parameters)).flatMap(([key, name]) => {
        const isFieldName = isObject(declared[key]) && declared[key]['names'] === 'field';
        if (!file || !isFieldName || typeof name !== 'string') return [];
        return { parameter: `${keyword}.${key}`, keyword, key, file, pointer: `/${keyword}/${key}`, name, kinds };
      });
    });
  });
}
