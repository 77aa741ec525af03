import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Store } from '../../domain/root-store.ts';
import type { BlockProps } from '../../engine/react/flow/flow-route.tsx';
import type { FlowRunner } from '../../engine/runtime/flow-runner.ts';
import { Waiting } from '../../engine/react/flow/waiting.tsx';
import { pages } from '../../contract/pages.ts';
import { FlowNotice } from '../shell/flow-notice.tsx';
import { Activity } from '../overview/activity.tsx';
import { Alerts } from '../overview/alerts.tsx';
import { Applications } from '../overview/applications.tsx';
import { Credentials, SecondFactor } from '../overview/credentials.tsx';
import { FirstSteps } from '../overview/first-steps.tsx';
import { LevelBox } from '../overview/level-box.tsx';
import { LinkedProviders } from '../overview/linked-providers.tsx';
import { OwnCalls } from '../overview/own-calls.tsx';
import { Section, WaitingPanels } from '../overview/section.tsx';
import { toDo } from '../overview/to-do.ts';
import { Who } from '../overview/who.tsx';
import { usePortal } from '../portal-context.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { useStore } from '../session/use-store.ts';
import { useTitle } from '../shell/use-title.ts';

export default function SecurityOverview({ runner }: BlockProps) {
  const store = useStore();
  const {
    t,
    page: { config },
  } = usePortal();
  const { identityProviders } = config;
  const [answered, setAnswered] = useState(false);
  useTitle(t('seguridad.title'));
  useEffect(
    () => void store?.loadOverview(identityProviders).then(() => setAnswered(true)),
    [store, identityProviders],
  );
  return store && <Overview store={store} runner={runner} answered={answered} />;
}

interface OverviewProps {
  readonly store: Store;
  readonly runner: FlowRunner;
  readonly answered: boolean;
}

const Overview = observer(function Overview({ store, runner, answered }: OverviewProps) {
  const {
    t,
    page: { config },
  } = usePortal();
  const { user, visitor } = store;
  if (!user) return <Waiting text={t('loading')} />;
  const known = store.mfa && store.applications && (store.linked || !config.identityProviders);
  return (
    <div className="overview">
      <h1 tabIndex={-1}>{t('seguridad.title')}</h1>
      <Who user={user} />
      <FlowNotice runner={runner} />
      <Alerts user={user} foreign={visitor.role === 'foreign'} />
      {answered || known ? (
        <>
          <div className="panels">
            <FirstSteps
              steps={toDo(store, user, config).filter(({ raises }) => !raises)}
              store={store}
              title={t('seguridad.first')}
            />
            {user.level === 'basic' && <LevelBox store={store} user={user} />}
            <OwnCalls store={store} user={user} />
          </div>
          <div className="panels">
            {user.level !== 'basic' && <LevelBox store={store} user={user} />}
            <Credentials store={store} user={user} />
            <SecondFactor store={store} />
            <Applications store={store} runner={runner} />
            <LinkedProviders store={store} runner={runner} />
            <Activity store={store} runner={runner} />
            <Section title={t('seguridad.more')}>
              <ul className="rows">
                <li>
                  <PortalLink to={pages.ownData}>{t('seguridad.more.data')}</PortalLink>
                </li>
                <li>
                  <PortalLink to={pages.closeAccount}>{t('seguridad.more.closure')}</PortalLink>
                </li>
              </ul>
            </Section>
          </div>
        </>
      ) : (
        <WaitingPanels />
      )}
    </div>
  );
});
