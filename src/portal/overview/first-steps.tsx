import { observer } from 'mobx-react-lite';
import type { Store } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { Section, Way } from './section.tsx';

/** What makes the account safer and is still to be done, before anything else; nothing where it is done. The ways to a higher level stand with the levels. */
export const FirstSteps = observer(function FirstSteps({ store }: { store: Store }) {
  const { t } = usePortal();
  if (store.mfa === null || store.mfa.estado.activado) return null;
  return (
    <Section title={t('seguridad.first')}>
      <ul className="first-steps">
        <li>
          <div>
            <h3>{t('seguridad.first.mfa')}</h3>
            <p>{t('seguridad.first.mfa.text')}</p>
          </div>
          <Way to={pages.secondFactor} store={store} call="createTotp">
            {t('seguridad.first.mfa.action')}
          </Way>
        </li>
      </ul>
    </Section>
  );
});
