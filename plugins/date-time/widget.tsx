import { Input } from '../../src/engine/fluent/controls.ts';
import { observer } from 'mobx-react-lite';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { dateTime, hour } from './instant.ts';

/** A day and its hour, or an hour alone by the format "time", chosen or typed as the browser does it. */
const DateTime = observer(function DateTime(props: WidgetProps) {
  const { field, control, schema, now } = widgetParts(props);
  const { type, shown, stored } = schema.format === 'time' ? hour : dateTime;
  return (
    <Input
      {...control}
      type={type}
      value={shown(field.value)}
      onChange={(_, { value }) => field.set(value === '' ? undefined : stored(value, now()))}
      onBlur={() => field.blur()}
    />
  );
});

export default DateTime;
