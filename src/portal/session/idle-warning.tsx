import { useSyncExternalStore } from 'react';
import { Dialog } from '../../engine/react/dialog.tsx';
import { pages } from '../../contract/pages.ts';
import type { IdleState } from './idle.ts';
import { usePortal } from '../portal-context.ts';
import type { Say } from '../texts.ts';

/** The warning before the session ends (WCAG 2.2.1): one press goes on, wherever it can; it stands in every tab. */
export function IdleWarning() {
  const portal = usePortal();
  const { say, idle } = portal;
  const state = useSyncExternalStore(
    idle.subscribe,
    () => idle.state,
    () => idle.state,
  );
  if (state.kind !== 'warning') return null;
  const canStay = state.reason === 'idle';
  const goOn = () => (canStay ? void portal.staySignedIn() : idle.dismiss());
  return (
    <Dialog role="alertdialog" labelledBy="idle-title" describedBy="idle-why idle-left" onClose={goOn}>
      <section className="screen">
        <h2 id="idle-title">{say('idle.title')}</h2>
        <p id="idle-why">{say(canStay ? 'idle.why' : 'idle.limit')}</p>
        <p id="idle-left" role="status">
          {leftIn(say, state)}
        </p>
        <div className="screen-actions">
          <button type="button" className="button button-primary" onClick={goOn}>
            {say(canStay ? 'idle.stay' : 'idle.understood')}
          </button>
          <button type="button" className="button" onClick={() => portal.leave(pages.logout)}>
            {say('idle.leave')}
          </button>
        </div>
      </section>
    </Dialog>
  );
}

function leftIn(say: Say, { leftS }: Extract<IdleState, { kind: 'warning' }>): string {
  if (leftS > 60) return say('idle.minutes', { count: Math.ceil(leftS / 60) });
  return leftS === 60 ? say('idle.minute') : say('idle.seconds', { count: leftS });
}
