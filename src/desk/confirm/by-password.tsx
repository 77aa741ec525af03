import { Field, Input } from '@fluentui/react-components';
import { useState, type SyntheticEvent } from 'react';
import { usePortal } from '../../portal/portal-context.ts';
import { deskText } from '../texts.ts';
import type { Unconfirmed } from './unconfirmed.ts';

/** Asks for the password of an agent without a passkey. Only on loopback servers. */
export function ByPassword({ repeat, onEnd, onCancel }: Unconfirmed) {
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
      <h2 id="confirm-title">{deskText('confirm.password.title')}</h2>
      <p id="confirm-why">{deskText('confirm.why')}</p>
      <Field
        label={deskText('confirm.password')}
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
          {deskText('confirm.password.submit')}
        </button>
        <button type="button" className="button" onClick={onCancel}>
          {deskText('confirm.cancel')}
        </button>
      </div>
    </form>
  );
}
