import { useState } from 'react';
import { toWidgetParts, type WidgetProps } from '../../src/engine/react/widget.ts';

export const options = {
  codes: { type: 'array', items: { type: 'string' } },
  product: { type: 'string' },
  titled: { type: 'boolean' },
  labelled: { const: 'self' },
} as const;

export default function RecoveryCodes(props: WidgetProps) {
  const { control, options, label, t } = toWidgetParts(props);
  const [copied, setCopied] = useState<'no' | 'copied' | 'notCopied'>('no');
  const values = Array.isArray(options['codes']) ? options['codes'] : [];
  const codes = values
    .filter((code): code is string => typeof code === 'string')
    .map((code) => code.replace(/.{4}(?=.)/g, '$& ')); // inserts a blank after every four characters; users may type a code without the blanks
  if (codes.length === 0) return null;
  const content = [String(options['product']), label, '', ...codes, ''].join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`;
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied('copied'),
      () => setCopied('notCopied'),
    );
  return (
    <section id={control.id} tabIndex={-1} aria-label={label}>
      {options['titled'] !== false && <h2>{label}</h2>}
      <p>{t('intro')}</p>
      <p className="notice" data-intent="warning">
        {t('once')}
      </p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="form-item-buttons">
        <button type="button" className="button" onClick={() => void copy()}>
          {t('copy')}
        </button>
        <a className="button" href={file} download={t('file')}>
          {t('download')}
        </a>
        <button type="button" className="button" onClick={() => window.print()}>
          {t('print')}
        </button>
      </div>
      <p role="status" className="codes-said">
        {copied === 'no' ? '' : t(copied)}
      </p>
    </section>
  );
}
