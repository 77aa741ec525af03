import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import { nested, splitFieldName } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import type { FieldSpec, ScreenData } from '../../core/screen.ts';
import { readFieldUi, uiOptions, uiText } from '../../core/ui.ts';
import { defaultWidget } from '../../core/widgets.ts';
import type { Theme } from '../theme.ts';

/** The schema of a screen as rjsf takes it: resolved, in the order in which its fields are drawn, named by an `$id`. */
export function rjsfSchema({ id, fields }: ScreenData): RJSFSchema {
  return { $id: `screen:${id}`, ...buildObjectSchema(fields, '') };
}

// Fields of an object stand together, as the compiler ordered them.
function buildObjectSchema(fields: readonly FieldSpec[], within: string): RJSFSchema {
  const steps = new Map<string, FieldSpec[]>();
  for (const spec of fields) {
    const [step = ''] = splitFieldName(spec.name.slice(within.length));
    const known = steps.get(step);
    if (known) known.push(spec);
    else steps.set(step, [spec]);
  }
  const properties = [...steps].map(([step, specs]) => {
    const [spec] = specs;
    return [step, spec?.name === within + step ? spec.schema : buildObjectSchema(specs, `${within}${step}.`)] as const;
  });
  return {
    type: 'object',
    required: fields.flatMap(({ name, required }) =>
      required && steps.has(name.slice(within.length)) ? [name.slice(within.length)] : [],
    ),
    properties: Object.fromEntries(properties) as RJSFSchema['properties'], // schemas of schema.json
  };
}

/** Its uiSchema: each field names its widget, and the logic in its options is replaced by what it says of `facts`. */
export function rjsfUiSchema({ ui, fields }: ScreenData, facts: Values, theme: Theme): UiSchema {
  const uis = fields.map((spec) => [spec.name, buildFieldUiSchema(spec, ui, facts, theme)] as const);
  return { 'ui:submitButtonOptions': { norender: true }, ...nested(uis) };
}

/** Names of this engine that rjsf has not: a theme without them draws texts, by the type that the browser knows. */
const inputTypes: Readonly<Record<string, string>> = { tel: 'tel', number: 'number' };

function buildFieldUiSchema(
  { name, schema, item, computed }: FieldSpec,
  ui: ScreenData['ui'],
  facts: Values,
  theme: Theme,
): UiSchema {
  if (item) return { 'ui:field': 'list' }; // which tells rjsf the rest
  const options = uiOptions(ui, name, facts);
  const widget = computed === undefined ? (uiText(ui, name, 'ui:widget') ?? defaultWidget(schema)) : 'computed';
  const inputType = Object.hasOwn(theme.widgets, widget) ? undefined : inputTypes[widget];
  return {
    ...readFieldUi(ui, name),
    'ui:widget': inputType === undefined ? widget : 'text',
    'ui:options': inputType === undefined ? options : { inputType, ...options },
  };
}
