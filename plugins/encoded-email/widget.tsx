import { observer } from 'mobx-react-lite';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { decodeEmail } from './decode.ts';

/** Shows the e-mail address that a link carries. Renders nothing if it is not valid. Never changes the field. */
const EncodedEmail = observer(function EncodedEmail(props: WidgetProps) {
  const { field, control, label } = widgetParts(props);
  const email = typeof field.value === 'string' ? decodeEmail(field.value) : null;
  return email === null ? null : (
    <p id={control.id}>
      {label}: <strong>{email}</strong>
    </p>
  );
});

export default EncodedEmail;
