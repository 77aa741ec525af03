import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { pagePaths } from '../../contract/page-paths.ts';
import type { PortalStore } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { getServerTime } from '../session/server-clock.ts';
import { formatDateTimeInWords } from '../../contract/format/dates.ts';
import { PortalLink } from '../shell/portal-link.tsx';
import { OverviewSection } from './overview-section.tsx';

type User = NonNullable<PortalStore['user']>;

/** Maximum delay of `setTimeout` in browsers, in milliseconds. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Next action of the citizen for the call that raises the level. `null` if there is none except to cancel the call. */
type CallStep = 'accept' | 'enter' | null;

/** Returns the citizen's step, and renders the component again as soon as the room opens. */
export function useCallStep(store: PortalStore, user: User): CallStep {
  const [, redraw] = useState(0);
  const call = useElevates(store, user) ? user.info_tramite_videollamada_pendiente : null;
  const wait = call?.msUntilEntry(getServerTime()) ?? null;
  useEffect(() => {
    if (wait === null || wait === 0) return undefined;
    const timer = window.setTimeout(() => redraw((count) => count + 1), Math.min(wait, maxTimeoutMs));
    return () => window.clearTimeout(timer);
  }, [wait]);
  if (call?.waitsForTerms) return 'accept';
  return wait === 0 ? 'enter' : null;
}

/** Whether the citizen has a call that raises the level. An agent has none. */
function useElevates(store: PortalStore, user: User): boolean {
  const { config } = usePortal().page;
  return user.raisesByCall && store.explainOperationRefusal('cancelElevation', config.flags) !== 'role';
}

interface CallListProps {
  readonly store: PortalStore;
  readonly user: User;
  readonly step: CallStep;
}

export const CallList = observer(function CallList({ store, user, step }: CallListProps) {
  const { t, page } = usePortal();
  const { info_tramite_videollamada_pendiente: elevation, info_videollamada_consulta: support } = user;
  const elevates = useElevates(store, user);
  if (!elevates && support === null) return null;
  return (
    <OverviewSection title={t('seguridad.calls')}>
      <ul className="rows">
        {elevation !== null && elevates && (
          <li className="row">
            <p>
              {t(elevation.waitsForTerms ? 'seguridad.calls.proven' : 'seguridad.calls.elevation', {
                date: formatDateTimeInWords(new Date(elevation.begins), page.language, getServerTime()),
              })}
            </p>
            {step !== null && (
              <PortalLink
                to={step === 'accept' ? pagePaths.acceptElevation : pagePaths.enterElevation}
                className="button button-small button-primary"
              >
                {t(`seguridad.calls.${step}`)}
              </PortalLink>
            )}
            {elevation.cancellable && (
              <PortalLink to={pagePaths.cancelElevation} className="button button-small button-quiet">
                {t('seguridad.calls.cancel')}
              </PortalLink>
            )}
          </li>
        )}
        {support !== null && (
          <li className="row">
            <p>
              {t(support.reserved ? 'seguridad.calls.reserved' : 'seguridad.calls.support', {
                date: formatDateTimeInWords(new Date(support.begins), page.language, getServerTime()),
              })}
            </p>
            <PortalLink
              to={`${pagePaths.cancelSupport}?videollamada=${encodeURIComponent(support.id)}`}
              className="button button-small button-quiet"
            >
              {t('seguridad.calls.cancel')}
            </PortalLink>
          </li>
        )}
      </ul>
    </OverviewSection>
  );
});
