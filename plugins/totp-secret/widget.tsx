import { observer } from 'mobx-react-lite';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

export function parseTotpSecret(address: string): string | null {
  try {
    const secret = new URL(address).searchParams.get('secret') ?? '';
    return /^[A-Z2-7]+=*$/i.test(secret) ? secret : null;
  } catch {
    return null;
  }
}

export function groupSecretCharacters(secret: string): string {
  return secret.replace(/.{4}(?=.)/g, '$& ');
}

/** QR code, link and secret of an `otpauth:` URL. Phones show the link first. Never changes the field. */
const TotpSecret = observer(function TotpSecret(props: WidgetProps) {
  const { field, control, label, t } = toWidgetParts(props);
  const [copyState, setSaid] = useState<'no' | 'copied' | 'notCopied'>('no');
  const phone = globalThis.matchMedia?.('(pointer: coarse), (width < 30rem)').matches ?? false;
  const address = typeof field.value === 'string' ? field.value : '';
  const secret = parseTotpSecret(address);
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
    <a className="button" href={address}>
      {t('open')}
    </a>
  );
  return (
    <div className="totp-secret">
      {phone && open}
      <div className="totp-secret-code">
        <QRCodeSVG value={address} size={128} level="Q" marginSize={2} title={t('code')} role="img" />
        <div>
          {!phone && open}
          <p className="form-help">{t('apps')}</p>
        </div>
      </div>
      <div className="totp-secret-typed">
        <label htmlFor={control.id} className="form-label">
          {label}
        </label>
        <button type="button" className="link-button" aria-label={t('copy')} onClick={() => void copy()}>
          {t('copyShort')}
        </button>
        <textarea
          id={control.id}
          className="form-select totp-secret-text"
          rows={2}
          value={groupSecretCharacters(secret)}
          readOnly
          autoComplete="off"
          spellCheck={false}
          aria-describedby={control['aria-describedby']}
        />
        <span role="status">{copyState === 'no' ? '' : t(copyState)}</span>
      </div>
    </div>
  );
});

export const options = { labelled: { const: 'self' } } as const;

export default TotpSecret;
