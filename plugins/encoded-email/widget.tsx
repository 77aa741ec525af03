import { observer } from 'mobx-react-lite';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

const emailPattern = /^[A-Za-z0-9._%+'-]+@([A-Za-z0-9-]+\.)+[A-Za-z]{2,16}$/;
/** Maximum length of an e-mail address, in characters (RFC 5321). */
const maxEmailLength = 254;

export function decodeBase64Email(encoded: string): string | null {
  try {
    const email = atob(encoded.replaceAll('-', '+').replaceAll('_', '/'));
    return email.length <= maxEmailLength && emailPattern.test(email) ? email : null;
  } catch {
    return null; // not base64
  }
}

const EncodedEmail = observer(function EncodedEmail(props: WidgetProps) {
  const { field, control, label } = toWidgetParts(props);
  const email = typeof field.value === 'string' ? decodeBase64Email(field.value) : null;
  return email === null ? null : (
    <p id={control.id}>
      {label}: <strong>{email}</strong>
    </p>
  );
});

export const options = { labelled: { const: 'self' } } as const;

export default EncodedEmail;
