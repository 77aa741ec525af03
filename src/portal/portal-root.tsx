import { startTransition, useEffect, useMemo, useState, useSyncExternalStore } from 'react';
import type { ComponentType, ReactNode } from 'react';
import { BrowserRouter, useLocation, useNavigate, NavigationType, useNavigationType } from 'react-router-dom';
import type { PageRoute } from '../engine/core/definitions-manifest.ts';
import { LoadError } from '../engine/react/flow/load-error.tsx';
import { FlowRoute, type FlowBlockProps, type RouterLocation } from '../engine/react/flow/flow-route.tsx';
import { LoadingScreen, LoadingPlaceholder } from '../engine/react/flow/loading-placeholder.tsx';
import { lazyComponent } from '../engine/react/lazy-component.tsx';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { loadModuleWithRetry } from './navigation/load-module.ts';
import { useFlowRunner } from './navigation/use-flow-runner.ts';
import type { Portal } from './portal.ts';
import { usePortal } from './portal-context.ts';
import { PortalProviders } from './portal-providers.tsx';

/** Elements that take the focus after a rejected form: the error summary, an urgent notice, or the invalid field. */
const problemSelector = '.form-summary, .notice, [aria-invalid="true"]';

/** Focuses the heading after each navigation for screen readers. An error of a new page keeps the focus. */
function useHeadingFocus(pathname: string): void {
  const [opened] = useState(pathname);
  const [moved, setMoved] = useState(false);
  if (!moved && pathname !== opened) setMoved(true);
  useEffect(() => (moved ? focusHeading() : undefined), [moved, pathname]);
}

/** Focuses the heading once it is rendered, and again whenever another heading replaces it. Returns a function that stops this. */
function focusHeading(): () => void {
  let lastHeading: Element | null = null;
  const focusWhenRendered = (): void => {
    const heading = document.querySelector<HTMLElement>('main h1');
    if (!heading || heading === lastHeading) return;
    const { activeElement } = document;
    const isRefused = activeElement?.closest('main')?.contains(heading) && activeElement.matches(problemSelector);
    if (!isRefused && (lastHeading === null || activeElement === document.body)) {
      heading.tabIndex = -1;
      if (window.location.hash === '') window.scrollTo(0, 0); // scrolls to the top, because `focus` does not; a URL with a fragment scrolls to its anchor instead
      heading.focus();
    }
    lastHeading = heading;
  };
  const observer = new MutationObserver(focusWhenRendered);
  observer.observe(document.body, { childList: true, subtree: true });
  focusWhenRendered();
  return () => observer.disconnect();
}

const Screen = lazyComponent(
  async () => (await loadModuleWithRetry(() => import('./shell/themed-screen.tsx'))).ThemedScreen,
  LoadingScreen,
);

/**
 * Root of every entry point: services, router and status region. `children` render after the router, in a transition,
 * which React splits into slices of 5 ms. Meanwhile the prerendered page stays responsive, and the router handles Back.
 */
export function PortalRoot({ portal, children }: { portal: Portal; children: ReactNode }) {
  const [listening, setListening] = useState(false);
  useEffect(() => startTransition(() => setListening(true)), []);
  return (
    <PortalProviders portal={portal}>
      {/* Not in a transition, because React would merge a forward and a back navigation into one render, and the
          flow would notice neither. */}
      <BrowserRouter useTransitions={false}>
        <StatusRegion />
        {listening && <RoutedPage>{children}</RoutedPage>}
      </BrowserRouter>
    </PortalProviders>
  );
}

function RoutedPage({ children }: { children: ReactNode }) {
  const portal = usePortal();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  useEffect(() => portal.navigation.setRouter(navigate), [portal, navigate]);
  useHeadingFocus(pathname);
  return children;
}

/** Live region for status messages. Always rendered, because screen readers do not announce a region that is inserted together with its text. */
function StatusRegion() {
  const { status } = usePortal();
  return (
    <p role="status" className="visually-hidden">
      {useSyncExternalStore(status.subscribe, () => status.text)}
    </p>
  );
}

/** Creates the components of blocks, by file name, which is the block's name in flows. Each is a separate chunk. */
export function createLazyBlocks(
  files: Readonly<Record<string, () => Promise<ComponentType<FlowBlockProps>>>>,
): Readonly<Record<string, ComponentType<FlowBlockProps>>> {
  return Object.fromEntries(
    Object.entries(files).map(([path, load]) => [
      path.replace('./blocks/', '').replace('.tsx', ''),
      lazyComponent(() => loadModuleWithRetry(load), LoadingScreen),
    ]),
  );
}

type Runner = FlowRunner | 'failed' | null;

export function useRouteFlowRunner(route: PageRoute | undefined): Runner {
  const portal = usePortal();
  const flow = route?.flow ?? '';
  useEffect(() => () => portal.definitions.getLoadedRunner(flow)?.depart(), [portal, flow]);
  return useFlowRunner(flow);
}

interface RouteFlowProps {
  readonly route: PageRoute;
  readonly runner: Runner;
  readonly blocks: Readonly<Record<string, ComponentType<FlowBlockProps>>>;
}

export function RouteFlow({ route, runner, blocks }: RouteFlowProps) {
  const portal = usePortal();
  const { pathname } = useLocation();
  const address = useAddress();
  const params = useMemo(() => portal.definitions.paramsAt(pathname), [portal, pathname]);
  if (runner === 'failed') return <LoadError text={portal.t('offline')} />;
  if (!runner) return <LoadingPlaceholder text={portal.t('loading')} />;
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

function useAddress(): RouterLocation {
  const location = useLocation();
  const pushed = useNavigationType() === NavigationType.Push;
  return useMemo(() => ({ search: location.search, history: location.state as unknown, pushed }), [location, pushed]);
}
