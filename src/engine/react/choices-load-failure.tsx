import { useEffect, useRef, useState } from 'react';
import type { OperationParams } from '../core/operation-result.ts';
import { useEngine } from './engine-context.ts';
import type { OperationResponseState } from './widget.ts';

interface ChoicesLoadFailureProps {
  readonly operation: string;
  readonly params?: OperationParams;
  readonly source: OperationResponseState;
  readonly controlId: string;
}

/** Message and retry button for choices that failed to load. The button keeps the focus during the retry. Then the control takes the focus. */
export function ChoicesLoadFailure({ operation, params, source: { state }, controlId }: ChoicesLoadFailureProps) {
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
