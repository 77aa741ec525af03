import { Input } from '@fluentui/react-components';
import { leftOf, momentOf } from '../react/field/moment.ts';
import { widgetParts, type WidgetProps } from '../react/widget.ts';

/** A day and its hour, or an hour alone, chosen or typed as the browser does it. */
export function MomentWidget(props: WidgetProps) {
  const { field, control, schema, timeZone, now } = widgetParts(props);
  const { type, shown, stored } = momentOf(schema.format, { timeZone, now });
  return (
    <Input
      {...control}
      type={type}
      value={shown(props.value)}
      onChange={(_, { value }) => field.set(value === '' ? undefined : stored(value))}
      onBlur={({ target }) => {
        if (target.value === '') field.set(leftOf(target));
        field.blur();
      }}
    />
  );
}
