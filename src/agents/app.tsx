import { lazy, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom';
import { deskPages, pages } from '../contract/pages.ts';
import { href } from '../contract/href.ts';
import type { Answer } from '../contract/contract.ts';
import { Failed } from '../engine/react/flow/failed.tsx';
import { FlowRoute } from '../engine/react/flow/flow-route.tsx';
import { Waiting } from '../engine/react/flow/waiting.tsx';
import { loadPart } from '../portal/navigation/reload.ts';
import { useAddress } from '../portal/navigation/use-address.ts';
import { useRunner } from '../portal/navigation/use-flow.ts';
import type { Portal } from '../portal/portal.ts';
import { usePortal } from '../portal/portal-context.ts';
import { PortalProviders } from '../portal/portal-providers.tsx';
import { useHeadingFocus } from '../portal/shell/heading-focus.ts';
import { blocks } from './block-list.ts';
import { DeskProvider } from './desk-context.ts';
import { DeskShell } from './desk-shell.tsx';
import { deskText } from './texts.ts';

const Screen = lazy(async () => ({
  default: (await loadPart(() => import('../portal/shell/themed-screen.tsx'))).ThemedScreen,
}));

/** The agents' side: the engine with flows and blocks of its own. */
export function DeskApp({ portal }: { portal: Portal }) {
  return (
    <PortalProviders portal={portal}>
      <BrowserRouter useTransitions={false}>
        <Desk />
      </BrowserRouter>
    </PortalProviders>
  );
}

function Desk() {
  const portal = usePortal();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [desk, setDesk] = useState<Answer<'getDesk'> | 'failed' | null>(null);
  useEffect(() => portal.navigation.connect(navigate), [portal, navigate]);
  useHeadingFocus(pathname);
  useEffect(() => {
    void open(portal).then(setDesk);
  }, [portal]);
  const status = useSyncExternalStore(portal.status.subscribe, () => portal.status.text);
  return (
    <>
      <p role="status" className="visually-hidden">
        {status}
      </p>
      <DeskShell desk={typeof desk === 'string' ? null : desk}>
        {desk === 'failed' && <Failed text={portal.t('offline')} />}
        {desk === null && <Waiting text={portal.t('loading')} />}
        {desk !== null && desk !== 'failed' && (
          <DeskProvider value={desk}>
            <Place key={pathname} />
          </DeskProvider>
        )}
      </DeskShell>
    </>
  );
}

/** Who sits here; whose session has ended goes to the sign-in of agents, which leads back. */
async function open(portal: Portal): Promise<Answer<'getDesk'> | 'failed' | null> {
  try {
    const store = await portal.citizen();
    if (!store.session.authenticated) {
      portal.navigation.leave(href(pages.login, { agnt: '1', redirectUrl: deskPages.day }));
      return null;
    }
    return (await portal.engine.load('getDesk')) as Answer<'getDesk'>; // the server serializes by the answer's schema
  } catch {
    return 'failed';
  }
}

function Place() {
  const portal = usePortal();
  const { pathname } = useLocation();
  const route = portal.definitions.routeAt(pathname);
  const runner = useRunner(route?.flow ?? '');
  const address = useAddress();
  const params = useMemo(() => portal.definitions.paramsAt(pathname), [portal, pathname]);
  useEffect(() => () => portal.definitions.readyRunner(route?.flow ?? '')?.depart(), [portal, route]);
  if (!route) return <p>{deskText('nothing')}</p>;
  if (runner === 'failed') return <Failed />;
  if (!runner) return <Waiting text={portal.t('loading')} />;
  return (
    <FlowRoute
      route={route}
      address={address}
      params={params}
      runner={runner}
      services={portal.flows}
      blocks={blocks}
      Screen={Screen}
    />
  );
}
