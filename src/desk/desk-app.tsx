import { useEffect, useState, type ReactNode, type ComponentType } from 'react';
import { useLocation, Link } from 'react-router-dom';
import { deskPagePaths, pagePaths } from '../contract/page-paths.ts';
import { buildHref } from '../contract/build-href.ts';
import type { OperationResponse } from '../contract/contract.ts';
import type { OperationFailure, OperationResult } from '../engine/core/operation-result.ts';
import { createFluentPageRoot } from '../engine/fluent/fluent-page-root.tsx';
import { createLazyBlocks, PortalRoot, RouteFlow, useRouteFlowRunner } from '../portal/portal-root.tsx';
import type { Portal } from '../portal/portal.ts';
import { readCspNonce } from '../portal/navigation/read-page-data.ts';
import { usePortal } from '../portal/portal-context.ts';
import { ResponseLoadStatus, PasskeyRequiredPage, DeskNotFoundPage } from './answers/use-operation-response.tsx';
import { ConfirmationDialog } from './confirm/confirmation-dialog.tsx';
import mark from '../brand/mark.svg';
import type { DeskPermissionAction } from '../contract/desk-permissions.ts';
import { LoadError } from '../engine/react/flow/load-error.tsx';
import { SessionNotices } from '../portal/session/idle-warning.tsx';
import { CrashBoundary } from '../portal/shell/crash-boundary.tsx';
import { PortalLink } from '../portal/shell/portal-link.tsx';
import { getDeskText } from './desk-texts.ts';
import type { FlowBlockProps } from '../engine/react/flow/flow-route.tsx';

const blocks = createLazyBlocks(
  import.meta.glob<ComponentType<FlowBlockProps>>('./blocks/*.tsx', { import: 'default' }),
);

const navigationItems: readonly (readonly [action: DeskPermissionAction, path: string])[] = [
  ['videollamadas', deskPagePaths.day],
  ['cuentas', deskPagePaths.accounts],
  ['horarios', deskPagePaths.hours],
  ['mensajes', deskPagePaths.messages],
  ['cifras', deskPagePaths.figures],
];

function DeskShell({ desk, children }: { desk: OperationResponse<'getDesk'> | null; children: ReactNode }) {
  const { t, config } = usePortal();
  const { key, pathname } = useLocation();
  const mine = navigationItems.filter(([action]) => desk?.permisos.includes(action));
  const currentPage = [...mine].reverse().find(([, path]) => pathname === path || pathname.startsWith(`${path}/`));
  return (
    <>
      <a className="skip" href="#contenido">
        {t('skip')}
      </a>
      <header className="desk-header">
        <PortalLink to={deskPagePaths.day} className="brand">
          <img src={mark} alt="" width={32} height={32} />
          {config.brand.product} · {getDeskText('desk')}
        </PortalLink>
        <nav aria-label={getDeskText('menu')}>
          <ul className="desk-menu">
            {mine.map((part) => (
              <li key={part[1]}>
                <Link to={part[1]} aria-current={part === currentPage ? 'page' : undefined}>
                  {getDeskText(part[0])}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <p className="desk-who">
          {desk?.nombre}
          <a href={pagePaths.logout}>{getDeskText('exit')}</a>
        </p>
      </header>
      <main id="contenido" tabIndex={-1} className="desk-main">
        <SessionNotices />
        <CrashBoundary at={key} fallback={<LoadError text={t('crashed')} />}>
          {children}
        </CrashBoundary>
      </main>
    </>
  );
}

const FluentPage = createFluentPageRoot(readCspNonce());

type DeskResult = OperationResult<OperationResponse<'getDesk'>>;

export function DeskApp({ portal }: { portal: Portal }) {
  return (
    <FluentPage>
      <PortalRoot portal={portal}>
        <Desk />
      </PortalRoot>
    </FluentPage>
  );
}

function Desk() {
  const portal = usePortal();
  const [desk, setDesk] = useState<DeskResult | null>(null);
  useEffect(() => {
    void loadDesk(portal).then(setDesk);
  }, [portal]);
  return (
    <DeskShell desk={desk?.ok ? desk.result : null}>
      {desk?.ok ? <CurrentPage /> : <DeskUnavailable failure={desk?.failure ?? null} />}
      <ConfirmationDialog />
    </DeskShell>
  );
}

function DeskUnavailable({ failure }: { failure: OperationFailure | null }) {
  return failure?.code === 'ingreso_sin_llave' ? (
    <PasskeyRequiredPage text={failure.error} />
  ) : (
    <ResponseLoadStatus answer={null} failure={failure} />
  );
}

/** Loads the agent's permissions. Redirects to the agents' sign-in if nobody is signed in. */
async function loadDesk(portal: Portal): Promise<DeskResult | null> {
  try {
    const store = await portal.loadCitizen();
    if (!store.session.authenticated) {
      portal.navigation.leave(buildHref(pagePaths.login, { agnt: '1', redirectUrl: deskPagePaths.day }));
      return null;
    }
    return (await portal.flows.invoke('getDesk', {})) as DeskResult; // the result is untyped; the server serializes it with the operation's response schema
  } catch {
    return { ok: false, failure: { status: 0, error: portal.t('offline'), errors: {}, outdated: false } };
  }
}

function CurrentPage() {
  const portal = usePortal();
  const route = portal.definitions.resolveRoute(useLocation().pathname);
  const runner = useRouteFlowRunner(route);
  return route ? <RouteFlow route={route} runner={runner} blocks={blocks} /> : <DeskNotFoundPage />;
}
