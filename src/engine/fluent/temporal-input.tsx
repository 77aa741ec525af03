import { Input } from '@fluentui/react-components';
import { useEngine } from '../react/engine-context.ts';
import { readIncompleteInput, selectTemporalFormat } from '../react/field/temporal-format.ts';
import { toWidgetParts, type WidgetProps } from '../react/widget.ts';

export function TemporalInput(props: WidgetProps) {
  const { field, control, schema } = toWidgetParts(props);
  const { type, toControlText, toValue } = selectTemporalFormat(schema.format, useEngine());
  return (
    <Input
      {...control}
      className="form-short"
      type={type}
      value={toControlText(props.value)}
      onChange={(_, { value }) => field.set(value === '' ? undefined : toValue(value))}
      onBlur={({ target }) => {
        if (target.value === '') field.set(readIncompleteInput(target));
        field.blur();
      }}
    />
  );
}
