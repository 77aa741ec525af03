import { useEffect, useState, type ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { decodeUrlPath, buildHref } from '../../contract/build-href.ts';
import type { SessionEndReason } from '../../domain/root-store.ts';
import type { RouteRefusal } from '../../domain/route-access.ts';
import { LoadError } from '../../engine/react/flow/load-error.tsx';
import type { PageRoute } from '../../engine/core/definitions-manifest.ts';
import { LoadingPlaceholder } from '../../engine/react/flow/loading-placeholder.tsx';
import { usePortal } from '../portal-context.ts';
import { pagePaths, proofingPagePath } from '../../contract/page-paths.ts';

/**
 * Loads the citizen's record before its children render. Redirects if the citizen may not open the route (section 2.2
 * of the specification), to the error page if the record cannot be loaded (section 8.1), and to the logout if the
 * account of a foreign user does not exist.
 */
export function CitizenGuard({ route, children }: { route: PageRoute; children: ReactNode }) {
  const portal = usePortal();
  const { pathname, search } = useLocation();
  const [state, setState] = useState<'waiting' | 'ready' | 'failed'>('waiting');
  useEffect(() => {
    let current = true;
    const away = (ended: SessionEndReason | null): Readonly<Record<RouteRefusal, string>> => ({
      'signed-out':
        ended === 'blocked'
          ? buildHref(pagePaths.error, { errorCode: 'BLOCKED_ACCOUNT' })
          : buildHref(pagePaths.login, {
              redirectUrl: decodeUrlPath(pathname) + search,
              ...(ended && { mensaje: 'sesion_terminada' }),
            }),
      foreign: pagePaths.foreign,
      proofing: proofingPagePath,
      role: pagePaths.security,
      restricted: pagePaths.security,
      permission: pagePaths.security,
      factor: buildHref(pagePaths.secondFactorReminder, { redirect_uri: decodeUrlPath(pathname) + search }),
    });
    portal.loadCitizen().then(
      (store) => {
        if (!current) return;
        const { visitor, userStatus, sessionEndReason: ended } = store;
        const refusal = store.findRefusal(route, portal.config.flags);
        const isGuest = refusal === null && visitor.role === 'anonymous'; // true if the stored session has expired, but the route does not require a session
        const unanswered = refusal === 'signed-out' && store.userState === 'Error'; // true if the broker was unreachable, so that the session may still exist
        if (refusal !== null && !unanswered) portal.navigation.leave(away(ended)[refusal]);
        else if (route.access === 'anyone' || isGuest || store.userState === 'Exito') setState('ready');
        else if (userStatus === 404 && visitor.role === 'foreign') portal.navigation.leave(pagePaths.logout);
        else if (userStatus === 0) setState('failed');
        else
          portal.navigation.leave(
            buildHref(pagePaths.error, { errorCode: userStatus === 404 ? 'NOT_FOUND_ERROR' : 'SERVER_ERROR' }),
          );
      },
      () => current && setState('failed'),
    );
    return () => void (current = false);
  }, [portal, route, pathname, search]);
  if (state === 'failed') return <LoadError text={portal.t('offline')} />;
  return state === 'ready' ? children : <LoadingPlaceholder text={portal.t('loading')} />;
}
