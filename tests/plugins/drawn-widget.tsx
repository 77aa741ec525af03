import { render } from '@testing-library/react';
import { observer } from 'mobx-react-lite';
import type { JsonObject } from '../../src/engine/core/json.ts';
import type { ControlAttributes, Widget, WidgetParts, WidgetProps } from '../../src/engine/react/widget.ts';
import { createFakeControl, createFakeForm, createFakeParts } from './fake-form.ts';

/** Renders a widget as a form does, with rjsf's props derived from its field. */
export const DrawnWidget = observer(function DrawnWidget({
  widget: Widget,
  ...parts
}: WidgetParts & { widget: Widget }) {
  return <Widget {...propsOf(parts)} />;
});

interface DrawnParts extends Omit<Partial<WidgetParts>, 'control'> {
  readonly control?: Partial<ControlAttributes>;
}

/** Renders the widget of the field `name` in a form with `values`. */
export function drawWidget(
  widget: Widget,
  name: string,
  values: Readonly<Record<string, unknown>>,
  { control, ...own }: DrawnParts = {},
) {
  const { form, field } = createFakeForm({ [name]: undefined, ...values });
  const parts = createFakeParts({ form, field }, name, { control: createFakeControl(name, control), ...own });
  return { form, field: field(name), ...render(<DrawnWidget widget={widget} {...parts} />) };
}

export function findInput(id: string): HTMLInputElement {
  const input = document.getElementById(id);
  if (!(input instanceof HTMLInputElement)) throw new Error(`no input ${id}`);
  return input;
}

function propsOf({ field, form, t, load, now, source, control, options, schema, label }: WidgetParts): WidgetProps {
  const registry = { formContext: { field, form, t, load, now, source } } as unknown as WidgetProps['registry']; // a partial fake: widgets read only `formContext`
  return {
    id: control.id,
    name: control.name,
    label,
    value: field.value,
    required: control['aria-required'],
    disabled: control.disabled,
    readonly: control.readOnly,
    placeholder: control.placeholder ?? '',
    options: { autocomplete: control.autoComplete, ...options } as WidgetProps['options'],
    schema: schema as JsonObject & WidgetProps['schema'],
    rawErrors: field.error === null ? undefined : [field.error],
    'aria-invalid': control['aria-invalid'],
    'aria-describedby': control['aria-describedby'],
    onChange: (value) => field.set(value),
    onBlur: () => field.blur(),
    onFocus: () => undefined,
    registry,
  };
}
