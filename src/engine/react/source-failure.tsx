import { useEffect, useRef, useState } from 'react';
import type { OperationParams } from '../core/operation.ts';
import { useEngine } from './engine-context.ts';
import type { SourceState } from './widget.ts';

interface SourceFailureProps {
  readonly operation: string;
  readonly params?: OperationParams;
  readonly source: SourceState;
  readonly controlId: string;
}

/** Message and retry button for choices that failed to load. The button keeps the focus during the retry. Then the control takes the focus. */
export function SourceFailure({ operation, params, source: { state }, controlId }: SourceFailureProps) {
  const engine = useEngine();
  const [tries, setTries] = useState(false);
  const leads = useRef(false);
  if (tries && state === 'ready') setTries(false);
  useEffect(() => {
    if (state !== 'ready' || !leads.current) return;
    leads.current = false;
    if (document.activeElement === document.body) document.getElementById(controlId)?.focus();
  }, [state, controlId]);
  if (state !== 'failed' && !(tries && state === 'loading')) return null;
  return (
    <p role="alert" className="form-help">
      {engine.t('offline')}{' '}
      <button
        type="button"
        className="link-button"
        aria-disabled={state === 'loading'}
        onClick={() => {
          if (state === 'loading') return;
          leads.current = true;
          setTries(true);
          engine.retry(operation, params);
        }}
      >
        {engine.t('retry')}
      </button>
    </p>
  );
}
