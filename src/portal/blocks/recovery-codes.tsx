import { useState } from 'react';
import type { BlockProps } from '../../engine/react/flow-route.tsx';
import { usePortal } from '../portal-context.ts';
import { useFlowState } from '../use-flow.ts';
import { useTitle } from '../use-title.ts';

/** Recovery codes, shown this once: to copy, to download as a text file, and to confirm that they were kept. */
export function Block({ runner }: BlockProps) {
  const { say, page } = usePortal();
  const [copied, setCopied] = useState<'no' | 'copied' | 'failed'>('no');
  const list = useFlowState(runner)?.context.codigos;
  const codes = Array.isArray(list) ? list.filter((code): code is string => typeof code === 'string') : [];
  const content = [page.config.brand.product, say('codes.title'), '', ...codes, ''].join('\n');
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(content)}`;
  useTitle(say('codes.title'));
  const copy = () => navigator.clipboard.writeText(codes.join('\n')).then(() => setCopied('copied'), () => setCopied('failed'));
  return (
    <section className="screen" aria-labelledby="codes-title">
      <h1 id="codes-title" tabIndex={-1}>{say('codes.title')}</h1>
      <p>{say('codes.intro')}</p>
      <p className="notice" data-intent="warning">{say('codes.once')}</p>
      <ol className="codes">{codes.map((code) => <li key={code}><code>{code}</code></li>)}</ol>
      <div className="screen-actions">
        <a className="button" href={file} download={say('codes.file')}>{say('codes.download')}</a>
        <button type="button" className="button" onClick={() => void copy()}>{say('codes.copy')}</button>
        <span role="status">{copied === 'no' ? '' : say(copied === 'copied' ? 'codes.copied' : 'codes.notCopied')}</span>
      </div>
      <div className="screen-actions">
        <button type="button" className="button button-primary" onClick={() => void runner.raise('continue')}>{say('codes.kept')}</button>
      </div>
    </section>
  );
}
