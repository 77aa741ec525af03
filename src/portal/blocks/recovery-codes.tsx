import { useState } from 'react';
import { fill } from '../../engine/core/messages.ts';
import { introOf, titleOf } from '../../engine/core/ui.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../navigation/use-flow.ts';
import { useTitle } from '../shell/use-title.ts';

/** Recovery codes, shown this once and confirmed as kept, under the texts of the state's screen where it has one; that stands alone where there are none. */
export function Block({ runner }: BlockProps) {
  const { t, flows } = usePortal();
  const state = useFlowState(runner);
  const context = state?.context ?? {};
  const ui = state?.view?.screen?.validator.screen.ui;
  const scope = { ...flows.facts(), context };
  const codes = Array.isArray(context.codigos)
    ? context.codigos.filter((code): code is string => typeof code === 'string')
    : [];
  const title = ui ? fill(titleOf(ui, scope), context) : t('codes.title');
  useTitle(title);
  const go = () => void runner.raise('continue');
  return (
    <section className="screen" data-tone={ui?.tone ?? 'plain'} aria-labelledby="codes-title">
      <h1 id="codes-title" tabIndex={-1}>
        {title}
      </h1>
      {ui &&
        introOf(ui, scope).map(({ text }) => (
          <p key={text} className="screen-intro">
            {fill(text, context)}
          </p>
        ))}
      {codes.length > 0 && ui && <h2>{t('codes.title')}</h2>}
      {codes.length > 0 && <Codes codes={codes} />}
      <div className="screen-actions">
        <button type="button" className="button button-primary" onClick={go}>
          {codes.length > 0 ? t('codes.kept') : ui?.actions?.[0]?.text}
        </button>
        {codes.length > 0 && (
          <button type="button" className="link-button" onClick={go}>
            {t('codes.leave')}
          </button>
        )}
      </div>
    </section>
  );
}

// To copy, and to download as a text file.
function Codes({ codes }: { codes: readonly string[] }) {
  const { t, page } = usePortal();
  const [copied, setCopied] = useState<'no' | 'copied' | 'failed'>('no');
  const content = [page.config.brand.product, t('codes.title'), '', ...codes, ''].join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`;
  const copy = () =>
    navigator.clipboard.writeText(codes.join('\n')).then(
      () => setCopied('copied'),
      () => setCopied('failed'),
    );
  return (
    <>
      <p>{t('codes.intro')}</p>
      <p className="notice" data-intent="warning">
        {t('codes.once')}
      </p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="screen-actions">
        <a className="button" href={file} download={t('codes.file')}>
          {t('codes.download')}
        </a>
        <button type="button" className="button" onClick={() => void copy()}>
          {t('codes.copy')}
        </button>
        <span role="status">{copied === 'no' ? '' : t(copied === 'copied' ? 'codes.copied' : 'codes.notCopied')}</span>
      </div>
    </>
  );
}
