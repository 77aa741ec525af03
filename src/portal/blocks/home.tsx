import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { pagePaths } from '../../contract/page-paths.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { AccountAlerts } from '../overview/account-alerts.tsx';
import { findNextAccountStep, NextStepSection } from '../overview/next-step.tsx';
import { CallList, useCallStep } from '../overview/call-list.tsx';
import { applicationsAnchor, OverviewSection, PanelPlaceholders } from '../overview/overview-section.tsx';
import { AccountIdentity } from '../overview/account-identity.tsx';
import { usePortal } from '../portal-context.ts';
import { usePortalStore } from '../session/use-portal-store.ts';
import { AssuranceLevelLadder } from '../shell/level-ladder.tsx';
import { PortalLink } from '../shell/portal-link.tsx';
import { useDocumentTitle } from '../shell/use-document-title.ts';
import LandingPage from './landing.tsx';

const maxApplications = 5;

export default observer(function HomePage() {
  const store = usePortalStore();
  const [answered, setAnswered] = useState(false);
  useEffect(() => {
    if (store?.user) void store.loadHome().then(() => setAnswered(true));
  }, [store]);
  if (!store) return null;
  const { user, visitor } = store;
  return user && visitor.role !== 'foreign' ? <Home store={store} user={user} answered={answered} /> : <LandingPage />;
});

interface HomeProps {
  readonly store: PortalStore;
  readonly user: NonNullable<PortalStore['user']>;
  readonly answered: boolean;
}

const Home = observer(function Home({ store, user, answered }: HomeProps) {
  const { t, config } = usePortal();
  const title = t('home.hello', { name: user.primer_nombre });
  useDocumentTitle(title);
  const { mfa, lastApplications } = store;
  const callStep = useCallStep(store, user);
  const nextStep = findNextAccountStep(store, user, config);
  return (
    <div className="overview overview-wide">
      <h1 tabIndex={-1}>{title}</h1>
      <AccountIdentity user={user} />
      <AccountAlerts user={user} foreign={false} />
      {answered || (mfa && store.sessions) ? (
        <div className="overview-columns">
          <div className="panels">
            <CallList store={store} user={user} step={callStep} />
            {nextStep && (
              <NextStepSection step={nextStep} store={store} look={callStep === null ? 'primary' : 'button'} />
            )}
            {lastApplications.length > 0 && (
              <OverviewSection title={t('home.applications')}>
                <ul className="rows">
                  {lastApplications.slice(0, maxApplications).map((name) => (
                    <li key={name}>
                      <PortalLink to={`${pagePaths.security}#${applicationsAnchor}`}>{name}</PortalLink>
                    </li>
                  ))}
                </ul>
              </OverviewSection>
            )}
          </div>
          <div className="panels">
            <OverviewSection title={t('seguridad.level')}>
              <AssuranceLevelLadder here={user.level} describe={(level) => t(`home.level.${level}`)} />
              <ul className="rows">
                <li>
                  <PortalLink to={pagePaths.methods}>{t('seguridad.level.methods')}</PortalLink>
                </li>
              </ul>
            </OverviewSection>
            <OverviewSection title={t('home.account')}>
              <ul className="rows">
                <li>
                  <PortalLink to={pagePaths.security}>{t('home.security')}</PortalLink>
                </li>
                {user.info_videollamada_consulta === null && (
                  <li>
                    <PortalLink to={pagePaths.bookSupport}>{t('home.support')}</PortalLink>
                  </li>
                )}
              </ul>
            </OverviewSection>
          </div>
        </div>
      ) : (
        <PanelPlaceholders panels={3} />
      )}
    </div>
  );
});
