import { useEngine } from '../engine-context.ts';
import { widgetParts, type WidgetProps } from '../widget.ts';
import { readIncompleteInput, selectTemporalFormat } from './temporal-format.ts';

/** Native date, time or date-time input, rendered with the text input of the theme. */
export function TemporalWidget(props: WidgetProps) {
  const { field, schema } = widgetParts(props);
  const { type, shown, stored } = selectTemporalFormat(schema.format, useEngine());
  const { BaseInputTemplate } = props.registry.templates;
  return (
    <BaseInputTemplate
      {...props}
      type={type}
      value={shown(props.value)}
      onChange={(typed: unknown) => field.set(typeof typed === 'string' && typed !== '' ? stored(typed) : undefined)}
      onBlur={(id: string, value: unknown) => {
        const input = document.getElementById(id);
        if (input instanceof HTMLInputElement && input.value === '') field.set(readIncompleteInput(input));
        props.onBlur(id, value);
      }}
    />
  );
}
