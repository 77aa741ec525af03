import { useEffect, useEffectEvent, useState } from 'react';
import { abort, perform, type Outcome, type Refusal } from '../../../plugins/passkey/ceremony.ts';
import { deskText } from '../texts.ts';
import type { Unconfirmed } from './unconfirmed.ts';

const refusals = {
  cancelled: 'confirm.cancelled',
  unsupported: 'confirm.unsupported',
  failed: 'confirm.failed',
  registered: 'confirm.failed',
} as const satisfies Record<Refusal, string>;

/** Requests an assertion with the agent's passkey at once, and again after a refusal. */
export function ByPasskey({ failure, repeat, onEnd, onCancel }: Unconfirmed) {
  const [refusal, setRefusal] = useState<Refusal | null>(null);
  const settle = async (outcome: Outcome): Promise<void> => {
    if (outcome === null) return;
    if ('refusal' in outcome) return setRefusal(outcome.refusal);
    const result = await repeat(outcome.answer);
    if (!result.ok && result.failure.code === 'confirmacion_invalida') setRefusal('failed');
    else onEnd(result);
  };
  /** Repeats the request without a confirmation to get new options: the old ones may be expired or used. */
  const again = async (): Promise<void> => {
    setRefusal(null);
    const result = await repeat();
    if (!result.ok && result.failure.code === 'confirmacion_requerida')
      await settle(await perform('use', result.failure.confirmation));
    else onEnd(result);
  };
  const settleFirst = useEffectEvent(settle);
  const { confirmation } = failure;
  useEffect(() => {
    void perform('use', confirmation).then((outcome) => settleFirst(outcome));
    return () => void abort();
  }, [confirmation]);
  return (
    <section className="screen desk-confirm">
      <h2 id="confirm-title">{deskText('confirm.title')}</h2>
      <p id="confirm-why">{deskText('confirm.why')}</p>
      <p role="status">{refusal === null ? deskText('confirm.waiting') : ''}</p>
      <div role="alert">{refusal !== null && <p className="desk-late">{deskText(refusals[refusal])}</p>}</div>
      <div className="screen-actions">
        {refusal !== null && (
          <button type="button" className="button button-primary" onClick={() => void again()}>
            {deskText('confirm.again')}
          </button>
        )}
        <button type="button" className="button" onClick={onCancel}>
          {deskText('confirm.cancel')}
        </button>
      </div>
    </section>
  );
}
