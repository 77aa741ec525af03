import { observer } from 'mobx-react-lite';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { decodeEmail } from './decode.ts';

/** An e-mail address out of a link, in words. Nothing is drawn of what is no address. The field is only read. */
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
