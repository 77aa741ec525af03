import { useSyncExternalStore } from 'react';
import { Dialog } from '../../engine/react/flow/dialog.tsx';
import { pagePaths } from '../../contract/page-paths.ts';
import type { SessionExpiryState } from './idle-watch.ts';
import { usePortal } from '../portal-context.ts';
import type { TranslateFunction } from '../portal-texts.ts';

export function SessionNotices() {
  return (
    <>
      <BrokerUnreachable />
      <IdleWarning />
    </>
  );
}

/** Warning in every tab before the session ends (WCAG 2.2.1). A button extends the session, but not beyond its absolute end. */
export function IdleWarning() {
  const portal = usePortal();
  const { t, idle } = portal;
  const state = useSyncExternalStore(
    idle.subscribe,
    () => idle.state,
    () => idle.state,
  );
  if (state.kind !== 'warning') return null;
  const canStay = state.reason === 'idle';
  const extendSession = () => (canStay ? void portal.staySignedIn() : idle.dismiss());
  return (
    <Dialog role="alertdialog" labelledBy="idle-title" describedBy="idle-why idle-left" onClose={extendSession}>
      <section className="screen">
        <h2 id="idle-title">{t('idle.title')}</h2>
        <p id="idle-why">{t(canStay ? 'idle.why' : 'idle.limit')}</p>
        <p id="idle-left" role="status">
          {formatRemainingTime(t, state)}
        </p>
        <div className="screen-actions">
          <button type="button" className="button button-primary" onClick={extendSession}>
            {t(canStay ? 'idle.stay' : 'idle.understood')}
          </button>
          <button type="button" className="button" onClick={() => portal.navigation.leave(pagePaths.logout)}>
            {t('idle.leave')}
          </button>
        </div>
      </section>
    </Dialog>
  );
}

function formatRemainingTime(
  t: TranslateFunction,
  { leftS }: Extract<SessionExpiryState, { kind: 'warning' }>,
): string {
  if (leftS > 60) return t('idle.minutes', { count: Math.ceil(leftS / 60) });
  if (leftS === 60) return t('idle.minute');
  return leftS === 1 ? t('idle.second') : t('idle.seconds', { count: leftS });
}

function BrokerUnreachable() {
  const { t, isBrokerUnreachable: reach } = usePortal();
  const isOut = useSyncExternalStore(
    reach.subscribe,
    () => reach.value,
    () => false,
  );
  return (
    <div role="status">
      {isOut && (
        <div className="notice" data-intent="warning">
          <p>{t('idle.outOfReach')}</p>
        </div>
      )}
    </div>
  );
}
