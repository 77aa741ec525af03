import { useEffect, useId, useRef } from 'react';
import { useEngine } from '../engine-context.ts';

export interface LoadErrorProps {
  readonly text?: string | undefined;
  /** Retries without a reload. Resolves to whether the retry succeeded. If it failed, the page is reloaded. */
  readonly retry?: () => Promise<boolean>;
}

const nothing = (): Promise<boolean> => Promise.resolve(false);

export function LoadError({ text, retry = nothing }: LoadErrorProps) {
  const engine = useEngine();
  const id = useId();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section className="screen" aria-labelledby={id}>
      <h1 id={id} ref={heading} tabIndex={-1}>
        {engine.t('failed.title')}
      </h1>
      <p>{text ?? engine.t('failed')}</p>
      <div className="screen-actions">
        <button
          type="button"
          className="button button-primary"
          onClick={() => void retry().then((done) => done || engine.reload())}
        >
          {engine.t('retry')}
        </button>
      </div>
      {engine.ErrorHelp && <engine.ErrorHelp links />}
    </section>
  );
}
