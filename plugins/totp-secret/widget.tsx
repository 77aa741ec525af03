import { observer } from 'mobx-react-lite';
import { QRCodeSVG } from 'qrcode.react';
import { useState } from 'react';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

const groupLength = 4;

/** Returns the base32 secret of an `otpauth:` URL, or `null` if it has none. */
export function parseTotpSecret(address: string): string | null {
  const secret = readUrl(address)?.searchParams.get('secret') ?? '';
  return /^[A-Z2-7]+=*$/i.test(secret) ? secret : null;
}

// Parses a URL. `URL.canParse` is newer than the supported browsers.
function readUrl(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}

export function groupCharacters(secret: string): string {
  return (secret.match(new RegExp(`.{1,${groupLength}}`, 'g')) ?? []).join(' ');
}

const sizePx = 128;
const errorCorrection = 'Q';
const quietModules = 4;

const isPhone = (): boolean => globalThis.matchMedia?.('(pointer: coarse)').matches ?? false;

/** QR code, link and secret of an `otpauth:` URL. Phones show the link first. Never changes the field. */
const TotpSecret = observer(function TotpSecret(props: WidgetProps) {
  const { field, control, label, t } = toWidgetParts(props);
  const [copyState, setSaid] = useState<'no' | 'copied' | 'notCopied'>('no');
  const phone = isPhone();
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
        value={groupCharacters(secret)}
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
      <span role="status">{copyState === 'no' ? '' : t(copyState)}</span>
    </p>
  );
  const apps = (
    <p key="apps" className="form-help">
      {t('apps')}
    </p>
  );
  // On a phone, the authenticator app is on the same device, so the link is first.
  const order = phone ? [open, apps, typed, copied, code] : [code, typed, copied, open, apps];
  return <div className="totp-secret">{order}</div>;
});

export default TotpSecret;
