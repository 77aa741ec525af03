import { lazy, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import { BrowserRouter, useLocation, useNavigate } from 'react-router-dom';
import type { Route } from '../engine/core/manifest.ts';
import { Failed } from '../engine/react/flow/failed.tsx';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { FlowRoute } from '../engine/react/flow/flow-route.tsx';
import { Waiting } from '../engine/react/flow/waiting.tsx';
import { blocks } from './block-list.ts';
import { CitizenGuard } from './navigation/citizen-guard.tsx';
import { useAddress } from './navigation/use-address.ts';
import { forcedLogin } from './navigation/forced-login.ts';
import { usePortal } from './portal-context.ts';
import { PortalProviders } from './portal-providers.tsx';
import { useHeadingFocus } from './shell/heading-focus.ts';
import type { Portal } from './portal.ts';
import { loadPart } from './navigation/reload.ts';
import { seemsSignedIn } from './session/session-hint.ts';
import { Shell } from './shell/shell.tsx';
import { useChrome, useRunner } from './navigation/use-flow.ts';
import { pages } from '../contract/pages.ts';

const Screen = lazy(async () => ({
  default: (await loadPart(() => import('./shell/themed-screen.tsx'))).ThemedScreen,
}));

/** The React application: shell, and the state of a flow that the address names. */
export function App({ portal }: { portal: Portal }) {
  return (
    <PortalProviders portal={portal}>
      {/* Not as a transition: a step forward and one back before it is drawn would fall together, and the flow never hear of them. */}
      <BrowserRouter useTransitions={false}>
        <Address />
      </BrowserRouter>
    </PortalProviders>
  );
}

function Address() {
  const portal = usePortal();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => portal.navigation.connect(navigate), [portal, navigate]);
  useHeadingFocus(pathname);
  const language = useSyncExternalStore(portal.onLanguage, () => portal.page.language);
  const route = portal.definitions.routeAt(pathname) ?? portal.definitions.notFoundRoute;
  const flow = route?.flow ?? '';
  const runner = useRunner(flow);
  const chrome = useChrome(route, runner === 'failed' ? null : runner);
  useEffect(() => () => portal.definitions.readyRunner(flow)?.depart(), [portal, flow]);
  if (!route) return null;
  return (
    <>
      <StatusRegion />
      <Shell key={language} chrome={chrome}>
        <Access key={route.path} route={route} runner={runner} />
      </Shell>
    </>
  );
}

/** Stands on every page from the start: of a region that comes with its text a screen reader says nothing. */
function StatusRegion() {
  const { status } = usePortal();
  return (
    <p role="status" className="visually-hidden">
      {useSyncExternalStore(status.subscribe, () => status.text)}
    </p>
  );
}

interface RouteProps {
  readonly route: Route;
  readonly runner: FlowRunner | 'failed' | null;
}

// Who is signed in, and whether that leads away, is asked once per address: a sign-in that happens on the page is the flow's own
// to follow, and variables of the query leave the address.
function Access({ route, runner }: RouteProps) {
  const portal = usePortal();
  const location = useLocation();
  const [signedIn] = useState(seemsSignedIn);
  const { access } = route;
  const [away] = useState(() => awayFrom(route, location, signedIn, portal.page.config.agentsHost));
  useEffect(() => {
    if (away !== null) portal.navigation.leave(away);
  }, [away, portal]);
  if (away !== null) return null;
  const flow = <FlowOf route={route} runner={runner} />;
  return access === 'citizen' || access === 'account' || signedIn ? (
    <CitizenGuard route={route}>{flow}</CitizenGuard>
  ) : (
    flow
  );
}

function FlowOf({ route, runner }: RouteProps) {
  const portal = usePortal();
  const { pathname } = useLocation();
  const address = useAddress();
  const params = useMemo(() => portal.definitions.paramsAt(pathname), [portal, pathname]);
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

/**
 * Where a page sends who asks for a new sign-in, and one for guests who is signed in: home, agents to their host (section 2.2). An
 * application's request stays: it wants another sign-in, or more than the present one proves. The logout ends the session as it is.
 */
function awayFrom(
  { access, path }: Route,
  location: Pick<Location, 'pathname' | 'search'>,
  signedIn: boolean,
  agentsHost: string,
): string | null {
  const guest = access === 'guest';
  const forced = path === pages.logout ? null : forcedLogin(location, guest);
  if (forced !== null || !guest || !signedIn) return forced;
  const query = new URLSearchParams(location.search);
  if (query.has('process_state')) return null;
  return query.get('agnt') === '1' && agentsHost !== '' ? agentsHost : pages.home;
}
