import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import type { PortalConfig } from '../../contract/portal-config.ts';
import type { Store } from '../../domain/root-store.ts';
import { pages } from '../../contract/pages.ts';
import { usePortal } from '../portal-context.ts';
import { Section, Way } from './section.tsx';
import { levelAnchor, waysUp } from './ways-up.ts';

type User = NonNullable<Store['user']>;

/** What makes the account safer or lets it do more and is still to be done, before anything else; nothing where it is done. */
export const FirstSteps = observer(function FirstSteps({ store, user }: { store: Store; user: User }) {
  const {
    t,
    page: { config },
  } = usePortal();
  const secondFactor = store.mfa !== null && !store.mfa.estado.activado;
  const level = mayRaise(store, user, config);
  if (!secondFactor && !level) return null;
  return (
    <Section title={t('seguridad.first')}>
      <ul className="first-steps">
        {secondFactor && (
          <Step title={t('seguridad.first.mfa')} text={t('seguridad.first.mfa.text')}>
            <Way to={pages.secondFactor} store={store} call="createTotp">
              {t('seguridad.first.mfa.action')}
            </Way>
          </Step>
        )}
        {level && (
          <Step title={t('seguridad.first.level')} text={t('seguridad.first.level.text')}>
            <a href={`#${levelAnchor}`} className="button button-small">
              {t('seguridad.first.level.action')}
            </a>
          </Step>
        )}
      </ul>
    </Section>
  );
});

function Step({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <li>
      <div>
        <h3>{title}</h3>
        <p>{text}</p>
      </div>
      {children}
    </li>
  );
}

/** Whether there is a way up that is open to this citizen and none is under way: by themselves, or at places that are named. */
function mayRaise(store: Store, user: User, config: PortalConfig): boolean {
  if (user.level !== 'basic' || user.raisesByCall) return false;
  const { signature, call } = waysUp(store, user, config);
  return (
    (signature && store.refusalOfOperation('requestSignature', config.flags) === null) ||
    (call && store.refusalOfOperation('bookElevation', config.flags) === null) ||
    Object.values(config.inPerson).some((said) => said !== '')
  );
}
