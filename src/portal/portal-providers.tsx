import { useMemo, type ReactNode } from 'react';
import { EngineProvider, type EngineServices } from '../engine/react/engine-context.ts';
import type { Portal } from './portal.ts';
import { PortalProvider } from './portal-context.ts';
import { PortalLink } from './shell/portal-link.tsx';

export function PortalProviders({
  portal,
  engine,
  children,
}: {
  portal: Portal;
  engine?: Partial<EngineServices>;
  children: ReactNode;
}) {
  const services = useMemo(() => ({ ...portal.engine, Link: PortalLink, ...engine }), [portal, engine]);
  return (
    <PortalProvider value={portal}>
      <EngineProvider value={services}>{children}</EngineProvider>
    </PortalProvider>
  );
}
