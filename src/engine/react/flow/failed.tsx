import { useEffect, useId, useRef } from 'react';
import { useEngine } from '../engine-context.ts';

interface LoadErrorProps {
  readonly text?: string | undefined;
  /** Tries again in the place, and answers whether that helped: where it did not, the page is loaded anew. */
  readonly retry?: () => Promise<boolean>;
}

const nothing = (): Promise<boolean> => Promise.resolve(false);

/** What stands where something could not be shown: a heading that takes the focus, what can be done, and the way to try again. */
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
    </section>
  );
}
