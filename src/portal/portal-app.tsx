import { useEffect, useState, useSyncExternalStore, type ComponentType } from 'react';
import { useLocation } from 'react-router-dom';
import type { PageRoute } from '../engine/core/definitions-manifest.ts';
import type { FlowRunner } from '../engine/runtime/flow-runner.ts';
import { createLazyBlocks, PortalRoot, RouteFlow, useRouteFlowRunner } from './portal-root.tsx';
import { isSignedInRoute } from '../domain/is-signed-in-route.ts';
import { CitizenGuard } from './navigation/citizen-guard.tsx';
import { findPageRedirect } from './navigation/page-redirect.ts';
import { usePortal } from './portal-context.ts';
import type { Portal } from './portal.ts';
import { isProbablySignedIn } from './session/session-hint.ts';
import { PageShell } from './shell/page-shell.tsx';
import { usePageChrome } from './navigation/use-flow-runner.ts';
import type { FlowBlockProps } from '../engine/react/flow/flow-route.tsx';

const blocks = createLazyBlocks(
  import.meta.glob<ComponentType<FlowBlockProps>>('./blocks/*.tsx', { import: 'default' }),
);

export function PortalApp({ portal }: { portal: Portal }) {
  return (
    <PortalRoot portal={portal}>
      <CurrentRoute />
    </PortalRoot>
  );
}

function CurrentRoute() {
  const portal = usePortal();
  const { pathname } = useLocation();
  const language = useSyncExternalStore(portal.language.subscribe, () => portal.language.value);
  const route = portal.definitions.resolveRoute(pathname) ?? portal.definitions.notFoundRoute;
  const runner = useRouteFlowRunner(route);
  const chrome = usePageChrome(route, runner === 'failed' ? null : runner);
  if (!route) return null;
  return (
    <PageShell key={language} chrome={chrome}>
      <AccessCheck key={route.path} route={route} runner={runner} />
    </PageShell>
  );
}

// Evaluates redirects only once per URL, because the flow later removes query parameters from the URL. A sign-in that
// happens on the page is handled by the flow.
function AccessCheck({ route, runner }: { route: PageRoute; runner: FlowRunner | 'failed' | null }) {
  const portal = usePortal();
  const location = useLocation();
  const [signedIn] = useState(isProbablySignedIn);
  const { access } = route;
  const [away] = useState(() => findPageRedirect(route, location, signedIn, portal));
  useEffect(() => {
    if (away !== null) portal.navigation.leave(away);
  }, [away, portal]);
  if (away !== null) return null;
  const flow = <RouteFlow route={route} runner={runner} blocks={blocks} />;
  return isSignedInRoute(access) || signedIn ? <CitizenGuard route={route}>{flow}</CitizenGuard> : flow;
}
