import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { nestFieldValues, splitFieldName } from '../../core/field-path.ts';
import { groupBy, type ValuesByName } from '../../core/json.ts';
import type { FieldSpec, CompiledScreen } from '../../core/compiled-screen.ts';
import { readFieldUi, evaluateUiOptions, findFieldUiText } from '../../core/screen-ui-queries.ts';
import { selectDefaultWidget } from '../../core/built-in-widgets.ts';
import type { Theme } from '../theme.ts';

export function buildRjsfSchema({ id, fields }: CompiledScreen): RJSFSchema {
  return { $id: `screen:${id}`, ...buildObjectSchema(fields, '') };
}

// Groups fields by the first path segment. This keeps the display order, because the compiler makes the fields of an object adjacent.
function buildObjectSchema(fields: readonly FieldSpec[], within: string): RJSFSchema {
  const steps = groupBy(fields, ({ name }) => splitFieldName(name.slice(within.length))[0] ?? '');
  const properties = [...steps].map(([step, specs]) => {
    const [spec] = specs;
    return [step, spec?.name === within + step ? spec.schema : buildObjectSchema(specs, `${within}${step}.`)] as const;
  });
  return {
    type: 'object',
    required: fields.flatMap(({ name, required }) =>
      required && steps.has(name.slice(within.length)) ? [name.slice(within.length)] : [],
    ),
    properties: Object.fromEntries(properties) as RJSFSchema['properties'], // cast: field schemas are typed as plain JSON
  };
}

export function buildRjsfUiSchema({ ui, fields }: CompiledScreen, facts: ValuesByName, theme: Theme): UiSchema {
  const uis = fields.map((spec) => [spec.name, buildFieldUiSchema(spec, ui, facts, theme)] as const);
  return { 'ui:submitButtonOptions': { norender: true }, ...nestFieldValues(uis) };
}

const inputTypes: Readonly<Record<string, string>> = { tel: 'tel', number: 'number' };

function buildFieldUiSchema(
  { name, schema, item, computed }: FieldSpec,
  ui: CompiledScreen['ui'],
  facts: ValuesByName,
  theme: Theme,
): UiSchema {
  if (item) return { 'ui:field': 'list' }; // the list builds the uiSchema of its items
  const options = evaluateUiOptions(ui, name, facts);
  const widget =
    computed === undefined ? (findFieldUiText(ui, name, 'ui:widget') ?? selectDefaultWidget(schema)) : 'computed';
  const inputType = Object.hasOwn(theme.widgets, widget) ? undefined : inputTypes[widget];
  return {
    ...readFieldUi(ui, name),
    'ui:widget': inputType === undefined ? widget : 'text',
    'ui:options': inputType === undefined ? options : { inputType, ...options },
  };
}
