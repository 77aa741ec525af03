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

export const CallList = observer(function CallList({ store, user }: { store: PortalStore; user: User }) {
  const {
    t,
    page: { config, language },
  } = usePortal();
  const { info_tramite_videollamada_pendiente: elevation, info_videollamada_consulta: support } = user;
  const elevates = user.raisesByCall && store.explainOperationRefusal('cancelElevation', config.flags) !== 'role';
  if (!elevates && support === null) return null;
  return (
    <OverviewSection title={t('seguridad.calls')}>
      <ul className="rows">
        {elevation !== null && elevates && (
          <li className="row">
            <p>
              {t(elevation.waitsForTerms ? 'seguridad.calls.proven' : 'seguridad.calls.elevation', {
                date: formatDateTimeInWords(new Date(elevation.begins), language),
              })}
            </p>
            {elevation.waitsForTerms && (
              <PortalLink to={pagePaths.acceptElevation} className="button button-small button-primary">
                {t('seguridad.calls.accept')}
              </PortalLink>
            )}
            <CallEntry call={elevation} />
            {elevation.cancellable && (
              <PortalLink to={pagePaths.cancelElevation} className="button button-small">
                {t('seguridad.calls.cancel')}
              </PortalLink>
            )}
          </li>
        )}
        {support !== null && (
          <li className="row">
            <p>
              {t(support.reserved ? 'seguridad.calls.reserved' : 'seguridad.calls.support', {
                date: formatDateTimeInWords(new Date(support.begins), language),
              })}
            </p>
            <PortalLink
              to={`${pagePaths.cancelSupport}?videollamada=${encodeURIComponent(support.id)}`}
              className="button button-small"
            >
              {t('seguridad.calls.cancel')}
            </PortalLink>
          </li>
        )}
      </ul>
    </OverviewSection>
  );
});

function CallEntry({ call }: { call: NonNullable<User['info_tramite_videollamada_pendiente']> }) {
  const { t } = usePortal();
  const [, redraw] = useState(0);
  const wait = call.msUntilEntry(getServerTime());
  useEffect(() => {
    if (wait === null || wait === 0) return undefined;
    const timer = window.setTimeout(() => redraw((count) => count + 1), Math.min(wait, maxTimeoutMs));
    return () => window.clearTimeout(timer);
  }, [wait]);
  if (wait !== 0) return null;
  return (
    <PortalLink to={pagePaths.enterElevation} className="button button-small">
      {t('seguridad.calls.enter')}
    </PortalLink>
  );
}
