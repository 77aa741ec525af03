import { useEngine } from '../engine-context.ts';
import { toWidgetParts, type WidgetProps } from '../widget.ts';
import { readIncompleteInput, selectTemporalFormat } from './temporal-format.ts';

export function TemporalWidget(props: WidgetProps) {
  const { field, schema } = toWidgetParts(props);
  const { type, toControlText, toValue } = selectTemporalFormat(schema.format, useEngine());
  const { BaseInputTemplate } = props.registry.templates;
  return (
    <BaseInputTemplate
      {...props}
      type={type}
      value={toControlText(props.value)}
      onChange={(typed: unknown) => field.set(typeof typed === 'string' && typed !== '' ? toValue(typed) : undefined)}
      onBlur={(id: string, value: unknown) => {
        const input = document.getElementById(id);
        if (input instanceof HTMLInputElement && input.value === '') field.set(readIncompleteInput(input));
        props.onBlur(id, value);
      }}
    />
  );
}
