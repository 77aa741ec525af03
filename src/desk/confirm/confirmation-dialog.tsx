import { useEffect, useState, useEffectEvent, type SyntheticEvent } from 'react';
import type { OperationResult, OperationFailure } from '../../engine/core/operation-result.ts';
import { Dialog } from '../../engine/react/flow/dialog.tsx';
import { usePortal } from '../../portal/portal-context.ts';
import { getDeskText } from '../desk-texts.ts';
import {
  abortPasskeyCeremony,
  performPasskeyCeremony,
  type PasskeyCeremonyOutcome,
  type PasskeyCeremonyFailure,
} from '../../../plugins/passkey/ceremony.ts';
import { Field, Input } from '@fluentui/react-components';
import { ActionButton } from '../../portal/shell/block-layout.tsx';

const refusals = {
  cancelled: 'confirm.cancelled',
  unsupported: 'confirm.unsupported',
  failed: 'confirm.failed',
  registered: 'confirm.failed',
} as const satisfies Record<PasskeyCeremonyFailure, string>;

/** Requests a WebAuthn assertion from the agent's passkey on mount. After a failure, a button repeats the request. */
function PasskeyConfirmation({ failure, repeat, onEnd, onCancel }: ConfirmationProps) {
  const [refusal, setRefusal] = useState<PasskeyCeremonyFailure | null>(null);
  const handleOutcome = async (outcome: PasskeyCeremonyOutcome): Promise<void> => {
    if (outcome === null) return;
    if ('refusal' in outcome) return setRefusal(outcome.refusal);
    const result = await repeat(outcome.answer);
    if (!result.ok && result.failure.code === 'confirmacion_invalida') setRefusal('failed');
    else onEnd(result);
  };
  /**
   * Repeats the request without a confirmation to get new WebAuthn options, because the previous options may be expired
   * or used.
   */
  const retry = async (): Promise<void> => {
    setRefusal(null);
    const result = await repeat();
    if (!result.ok && result.failure.code === 'confirmacion_requerida')
      await handleOutcome(await performPasskeyCeremony('use', result.failure.confirmation));
    else onEnd(result);
  };
  const settleFirst = useEffectEvent(handleOutcome);
  const { confirmation } = failure;
  useEffect(() => {
    void performPasskeyCeremony('use', confirmation).then((outcome) => settleFirst(outcome));
    return () => void abortPasskeyCeremony();
  }, [confirmation]);
  return (
    <section className="screen desk-confirm">
      <h2 id="confirm-title">{getDeskText('confirm.title')}</h2>
      <p id="confirm-why">{getDeskText('confirm.why')}</p>
      <p role="status">{refusal === null ? getDeskText('confirm.waiting') : ''}</p>
      <div role="alert">
        {refusal !== null && (
          <p className="notice" data-intent="warning">
            {getDeskText(refusals[refusal])}
          </p>
        )}
      </div>
      <div className="screen-actions">
        {refusal !== null && (
          <ActionButton look="primary" text={getDeskText('confirm.again')} onAct={() => void retry()} />
        )}
        <ActionButton text={getDeskText('confirm.cancel')} onAct={onCancel} />
      </div>
    </section>
  );
}

const confirmationsByCode = {
  confirmacion_requerida: PasskeyConfirmation,
  verificacion_requerida: PasswordConfirmation,
} as const;

export function ConfirmationDialog() {
  const portal = usePortal();
  const [waiting, setWaiting] = useState<ConfirmationProps | null>(null);
  useEffect(
    () =>
      portal.setConfirmationHandler((failure, repeat) =>
        isConfirmable(failure.code)
          ? new Promise((resolve) => {
              const onEnd = (result: OperationResult): void => {
                setWaiting(null);
                resolve(result);
              };
              const refused = { ...failure, code: 'confirmacion_cancelada', error: getDeskText('confirm.notDone') };
              setWaiting({ failure, repeat, onEnd, onCancel: () => onEnd({ ok: false, failure: refused }) });
            })
          : null,
      ),
    [portal],
  );
  if (waiting === null || !isConfirmable(waiting.failure.code)) return null;
  const Means = confirmationsByCode[waiting.failure.code];
  return (
    <Dialog labelledBy="confirm-title" describedBy="confirm-why" onClose={waiting.onCancel}>
      <Means {...waiting} />
    </Dialog>
  );
}

function isConfirmable(code: string | undefined): code is keyof typeof confirmationsByCode {
  return code !== undefined && Object.hasOwn(confirmationsByCode, code);
}

/** Confirmation with the password, for an agent without a passkey. Available only on loopback servers. */
function PasswordConfirmation({ repeat, onEnd, onCancel }: ConfirmationProps) {
  const portal = usePortal();
  const [password, setPassword] = useState('');
  const [problem, setProblem] = useState('');
  const submit = async (event: SyntheticEvent): Promise<void> => {
    event.preventDefault();
    setProblem('');
    const store = await portal.store();
    const params = { id: store.session.claims?.cid ?? '' };
    const verified = await store.perform('verifyPassword', { params, body: { pwd: password } });
    if (verified.ok) onEnd(await repeat());
    else setProblem(verified.failure.error);
  };
  return (
    <form className="screen desk-confirm" noValidate onSubmit={(event) => void submit(event)}>
      <h2 id="confirm-title">{getDeskText('confirm.password.title')}</h2>
      <p id="confirm-why">{getDeskText('confirm.why')}</p>
      <Field
        label={getDeskText('confirm.password')}
        {...(problem !== '' && { validationState: 'error' as const, validationMessage: problem })}
      >
        <Input
          type="password"
          autoComplete="current-password"
          value={password}
          onChange={(_, { value }) => setPassword(value)}
        />
      </Field>
      <div className="screen-actions">
        <button type="submit" className="button button-primary">
          {getDeskText('confirm.password.submit')}
        </button>
        <ActionButton text={getDeskText('confirm.cancel')} onAct={onCancel} />
      </div>
    </form>
  );
}

interface ConfirmationProps {
  readonly failure: OperationFailure;
  readonly repeat: (confirmation?: string) => Promise<OperationResult>;
  readonly onEnd: (result: OperationResult) => void;
  readonly onCancel: () => void;
}
