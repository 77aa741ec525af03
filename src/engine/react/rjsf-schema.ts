import type { RJSFSchema, UiSchema } from '@rjsf/utils';
import type { Values } from '../core/json.ts';
import type { FieldPlan, ScreenData } from '../core/screen.ts';
import { uiOf, uiOptions, uiText } from '../core/ui.ts';
import { defaultWidget } from './default-widget.ts';
import type { Theme } from './theme.ts';

/** The schema of a screen as rjsf takes it: resolved, in the order in which its fields are drawn, named by an `$id`. */
export function rjsfSchema({ id, fields }: ScreenData): RJSFSchema {
  return {
    $id: `screen:${id}`,
    type: 'object',
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, schema])),
  };
}

/** Its uiSchema: each field names its widget, and the logic in its options is replaced by what it says of `facts`. */
export function rjsfUiSchema({ ui, fields }: ScreenData, facts: Values, theme: Theme): UiSchema {
  return {
    'ui:submitButtonOptions': { norender: true },
    ...Object.fromEntries(fields.map((plan) => [plan.name, uiOfField(plan, ui, facts, theme)])),
  };
}

/** Names of this engine that rjsf has not: a theme without them draws texts, by the type that the browser knows. */
const inputTypes: Readonly<Record<string, string>> = { tel: 'tel', number: 'number' };

function uiOfField({ name, schema }: FieldPlan, ui: ScreenData['ui'], facts: Values, theme: Theme): UiSchema {
  const options = uiOptions(ui, name, facts);
  const widget = uiText(ui, name, 'ui:widget') ?? defaultWidget(schema);
  const inputType = Object.hasOwn(theme.widgets, widget) ? undefined : inputTypes[widget];
  return {
    ...uiOf(ui, name),
    'ui:widget': inputType === undefined ? widget : 'text',
    'ui:options': inputType === undefined ? options : { inputType, ...options },
  };
}
