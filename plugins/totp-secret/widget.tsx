import { observer } from 'mobx-react-lite';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { widgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';
import { groupsOf, secretOf } from './secret.ts';

/** Edge of the code in pixels, its error correction, and the quiet border in modules that readers need. */
const sizePx = 128;
const errorCorrection = 'Q';
const quietModules = 4;

/** The otpauth address of a new authenticator, as a QR code, as a link that opens the application on this very device, and as the secret to be typed or copied. The field is only read. */
const TotpSecret = observer(function TotpSecret(props: WidgetProps) {
  const { field, control, t } = widgetParts(props);
  const [copied, setCopied] = useState<'no' | 'copied' | 'notCopied'>('no');
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
      () => setCopied('copied'),
      () => setCopied('notCopied'),
    );
  return (
    <div className="totp-secret">
      <QRCodeSVG
        value={address}
        size={sizePx}
        level={errorCorrection}
        marginSize={quietModules}
        title={t('code')}
        role="img"
      />
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
      <p>
        <a className="button" href={address}>
          {t('open')}
        </a>
      </p>
      <p className="form-help">{t('apps')}</p>
      <p>
        <button type="button" className="button" onClick={() => void copy()}>
          {t('copy')}
        </button>{' '}
        <span role="status">{copied === 'no' ? '' : t(copied)}</span>
      </p>
    </div>
  );
});

export default TotpSecret;
