import { observer } from 'mobx-react-lite';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { groupsOf, secretOf } from './secret.ts';

/** Edge of the code in pixels, its error correction, and the quiet border in modules that readers need. */
const sizePx = 128;
const errorCorrection = 'Q';
const quietModules = 4;

/** Whether the page is held in the hand. */
const isPhone = (): boolean => globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** The otpauth address of a new authenticator, as a QR code, as a link that opens the application on this very device, and as the secret to be typed or copied. On a phone the application comes first, on a computer the code. The field is only read. */
const TotpSecret = observer(function TotpSecret(props: WidgetProps) {
  const { field, control, label, t } = widgetParts(props);
  const [said, setSaid] = useState<'no' | 'copied' | 'notCopied'>('no');
  const phone = isPhone();
  const address = typeof field.value === 'string' ? field.value : '';
  const secret = secretOf(address);
  if (secret === null)
    return (
      <p id={control.id} role="alert">
        {t('missing')}
      </p>
    );
  const copy = () =>
    navigator.clipboard.writeText(secret).then(
      () => setSaid('copied'),
      () => setSaid('notCopied'),
    );
  const open = (
    <p key="open">
      <a className={phone ? 'button button-primary' : 'button'} href={address}>
        {t('open')}
      </a>
    </p>
  );
  const code = (
    <QRCodeSVG
      key="code"
      value={address}
      size={sizePx}
      level={errorCorrection}
      marginSize={quietModules}
      title={t('code')}
      role="img"
    />
  );
  const typed = (
    <div key="typed" className="totp-secret-typed">
      <label htmlFor={control.id} className="form-label">
        {label}
      </label>
      <textarea
        id={control.id}
        className="form-select totp-secret-text"
        rows={2}
        value={groupsOf(secret)}
        readOnly
        autoComplete="off"
        spellCheck={false}
        aria-describedby={control['aria-describedby']}
      />
    </div>
  );
  const copied = (
    <p key="copied">
      <button type="button" className="button" onClick={() => void copy()}>
        {t('copy')}
      </button>{' '}
      <span role="status">{said === 'no' ? '' : t(said)}</span>
    </p>
  );
  const apps = (
    <p key="apps" className="form-help">
      {t('apps')}
    </p>
  );
  // The application stands on the phone that shows the page; a computer shows what the phone scans.
  const order = phone ? [open, apps, typed, copied, code] : [code, typed, copied, open, apps];
  return <div className="totp-secret">{order}</div>;
});

export default TotpSecret;
