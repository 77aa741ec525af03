import {
  startTransition,
  useEffect,
  useMemo,
  useState,
  useSyncExternalStore,
  type ComponentType,
  type ReactNode,
} from 'react';
import { BrowserRouter, useLocation, useNavigate, NavigationType, useNavigationType } from 'react-router-dom';
import type { Route } from '../engine/core/manifest.ts';
import { LoadError } from '../engine/react/flow/load-error.tsx';
import { FlowRoute, type BlockProps, type Address } from '../engine/react/flow/flow-route.tsx';
import { Coming, Waiting } from '../engine/react/flow/waiting.tsx';
import { lazyComponent } from '../engine/react/lazy-component.tsx';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { loadPart } from './navigation/load-part.ts';
import { useRunner } from './navigation/use-flow.ts';
import type { Portal } from './portal.ts';
import { usePortal } from './portal-context.ts';
import { PortalProviders } from './portal-providers.tsx';
import { useHeadingFocus } from './shell/heading-focus.ts';

const Screen = lazyComponent(
  async () => (await loadPart(() => import('./shell/themed-screen.tsx'))).ThemedScreen,
  Coming,
);

/**
 * Root of every entry point: services, router and status region. The router renders first and `children` in a transition, in slices of 5 ms. The
 * prerendered page stays responsive meanwhile, and the router already handles Back.
 */
export function Frame({ portal, children }: { portal: Portal; children: ReactNode }) {
  const [listening, setListening] = useState(false);
  useEffect(() => startTransition(() => setListening(true)), []);
  return (
    <PortalProviders portal={portal}>
      {/* Not as a transition: React would merge a forward and a back navigation before rendering, and the flow would miss both. */}
      <BrowserRouter useTransitions={false}>
        <StatusRegion />
        {listening && <Connected>{children}</Connected>}
      </BrowserRouter>
    </PortalProviders>
  );
}

function Connected({ children }: { children: ReactNode }) {
  const portal = usePortal();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => portal.navigation.connect(navigate), [portal, navigate]);
  useHeadingFocus(pathname);
  return children;
}

/** In the page from the start: screen readers do not announce a live region that is inserted with its text. */
function StatusRegion() {
  const { status } = usePortal();
  return (
    <p role="status" className="visually-hidden">
      {useSyncExternalStore(status.subscribe, () => status.text)}
    </p>
  );
}

type Runner = FlowRunner | 'failed' | null;

export function useRouteRunner(route: Route | undefined): Runner {
  const portal = usePortal();
  const flow = route?.flow ?? '';
  useEffect(() => () => portal.definitions.readyRunner(flow)?.depart(), [portal, flow]);
  return useRunner(flow);
}

interface RouteFlowProps {
  readonly route: Route;
  readonly runner: Runner;
  readonly blocks: Readonly<Record<string, ComponentType<BlockProps>>>;
}

export function RouteFlow({ route, runner, blocks }: RouteFlowProps) {
  const portal = usePortal();
  const { pathname } = useLocation();
  const address = useAddress();
  const params = useMemo(() => portal.definitions.paramsAt(pathname), [portal, pathname]);
  if (runner === 'failed') return <LoadError text={portal.t('offline')} />;
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

function useAddress(): Address {
  const location = useLocation();
  const pushed = useNavigationType() === NavigationType.Push;
  return useMemo(() => ({ search: location.search, history: location.state as unknown, pushed }), [location, pushed]);
}
