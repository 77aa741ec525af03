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

/** The level where it is raised in person alone: nothing to press. */
interface ElsewhereStep {
  readonly key: 'levelInPerson';
}

/** What makes the account safer and is still to be done, before anything else; nothing where all is done. */
export const FirstSteps = observer(function FirstSteps({ store, user }: { store: Store; user: NonNullable<Store['user']> }) {
  const { say, page: { config } } = usePortal();
  const steps: readonly (Step | ElsewhereStep)[] = [
    ...(store.mfa !== null && !store.mfa.estado.activado ? [{ key: 'mfa', to: addresses.secondFactor, call: 'createTotp' } as const] : []),
    ...(user.level === 'basic' ? [config.digitalSignature ? { key: 'level', to: addresses.signature, call: 'requestSignature' } as const : { key: 'levelInPerson' } as const] : []),
  ];
  if (steps.length === 0) return null;
  return (
    <Section title={say('seguridad.first')}>
      <ul className="first-steps">
        {steps.map((step) => (
          <li key={step.key}>
            <div>
              <h3>{say(`seguridad.first.${step.key}`)}</h3>
              <p>{say(`seguridad.first.${step.key}.text`)}</p>
            </div>
            {'to' in step && <Way to={step.to} store={store} call={step.call}>{say(`seguridad.first.${step.key}.action`)}</Way>}
          </li>
        ))}
      </ul>
    </Section>
  );
});
