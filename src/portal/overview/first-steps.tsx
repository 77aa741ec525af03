import { observer } from 'mobx-react-lite';
import type { CallName } from '../../api/contract.ts';
import type { Store } from '../../domain/root-store.ts';
import { addresses } from '../addresses.ts';
import { usePortal } from '../portal-context.ts';
import { Section, Way } from './section.tsx';

interface Step {
  readonly key: 'mfa' | 'level';
  readonly to: string;
  readonly call: CallName;
}

/** What makes the account safer and is still to be done, before anything else; nothing where all is done. */
export const FirstSteps = observer(function FirstSteps({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const { say, page: { config } } = usePortal();
  const steps: readonly Step[] = [
    ...(store.mfa !== null && !store.mfa.estado.activado ? [{ key: 'mfa', to: addresses.secondFactor, call: 'createTotp' } as const] : []),
    ...(user.level === 'basic' && config.digitalSignature ? [{ key: 'level', to: addresses.signature, call: 'requestSignature' } as const] : []),
  ];
  if (steps.length === 0) return null;
  return (
    <Section title={say('seguridad.first')}>
      <ul className="first-steps">
        {steps.map(({ key, to, call }) => (
          <li key={key}>
            <div>
              <h3>{say(`seguridad.first.${key}`)}</h3>
              <p>{say(`seguridad.first.${key}.text`)}</p>
            </div>
            <Way to={to} store={store} call={call}>{say(`seguridad.first.${key}.action`)}</Way>
          </li>
        ))}
      </ul>
    </Section>
  );
});
