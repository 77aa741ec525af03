import type { Store } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { Section, Way } from './section.tsx';
import type { ToDo } from './to-do.ts';

export function FirstSteps({ steps, store, title }: { steps: readonly ToDo[]; store: Store; title: string }) {
  const { t } = usePortal();
  if (steps.length === 0) return null;
  return (
    <Section title={title}>
      <ul className="first-steps">
        {steps.map((step, at) => (
          <li key={step.title}>
            <div>
              <h3>{t(step.title)}</h3>
              <p>{t(step.text)}</p>
            </div>
            <Way to={step.to} store={store} call={step.operation} look={at === 0 ? 'primary' : 'button'}>
              {t(step.action)}
            </Way>
          </li>
        ))}
      </ul>
    </Section>
  );
}
