import { lazy, useEffect, useState } from 'react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom';
import type { Route } from '../engine/core/manifest.ts';
import { EngineProvider } from '../engine/react/engine-context.ts';
import type { FlowRunner } from '../engine/react/flow-runner.ts';
import { FlowRoute } from '../engine/react/flow-route.tsx';
import { blocks } from './block-list.ts';
import { CitizenGuard } from './citizen-guard.tsx';
import { PortalProvider, usePortal } from './portal-context.ts';
import { useHeadingFocus } from './heading-focus.ts';
import type { Portal } from './portal.ts';
import { seemsSignedIn } from './session-hint.ts';
import { Shell } from './shell.tsx';
import { addresses } from './addresses.ts';

const Screen = lazy(async () => ({ default: (await import('./themed-screen.tsx')).ThemedScreen }));

/** The React application: shell, and the state of a flow that the address names. */
export function App({ portal }: { portal: Portal }) {
  return (
    <PortalProvider value={portal}>
      <EngineProvider value={portal.engine}>
        <BrowserRouter><Address /></BrowserRouter>
      </EngineProvider>
    </PortalProvider>
  );
}

function Address() {
  const portal = usePortal();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => portal.connect(navigate), [portal, navigate]);
  useHeadingFocus(pathname);
  const route = portal.routeAt(pathname) ?? portal.notFoundRoute;
  const flow = route?.flow ?? '';
  useEffect(() => () => portal.readyRunner(flow)?.depart(), [portal, flow]);
  if (!route) return null;
  return (
    <Shell chrome={route.chrome}>
      <Access key={route.path} route={route} />
    </Shell>
  );
}

// Who is signed in is asked once per address: a sign-in that happens on the page is the flow's own to follow.
function Access({ route }: { route: Route }) {
  const portal = usePortal();
  const [signedIn] = useState(seemsSignedIn);
  const { access } = route;
  const away = access === 'guest' && signedIn;
  useEffect(() => {
    if (away) portal.leave(addresses.home);
  }, [away, portal]);
  if (away) return null;
  const flow = <FlowOf route={route} />;
  return access === 'citizen' || signedIn ? <CitizenGuard required={access === 'citizen'}>{flow}</CitizenGuard> : flow;
}

function FlowOf({ route }: { route: Route }) {
  const portal = usePortal();
  const [runner, setRunner] = useState<FlowRunner | 'failed' | null>(() => portal.readyRunner(route.flow));
  useEffect(() => {
    let current = true;
    portal.runner(route.flow).then((ready) => current && setRunner(ready), () => current && setRunner('failed'));
    return () => void (current = false);
  }, [portal, route.flow]);
  if (runner === 'failed') return <p role="alert" className="screen">{portal.say('failed')}</p>;
  if (!runner) return <p role="status" className="screen screen-loading">{portal.say('loading')}</p>;
  return <FlowRoute route={route} runner={runner} services={portal.flows} blocks={blocks} Screen={Screen} />;
}
