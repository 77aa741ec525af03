import { observer } from 'mobx-react-lite';
import type { JsonObject } from '../../src/engine/core/json.ts';
import type { Widget, WidgetParts, WidgetProps } from '../../src/engine/react/widget.ts';

/** Renders a widget as a form does, with rjsf's props derived from its field. */
export const DrawnWidget = observer(function DrawnWidget({
  widget: Widget,
  ...parts
}: WidgetParts & { widget: Widget }) {
  return <Widget {...propsOf(parts)} />;
});

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
