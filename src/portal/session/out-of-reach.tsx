import { useSyncExternalStore } from 'react';
import { usePortal } from '../portal-context.ts';

/** Says that the broker cannot be asked whether the session goes on. It leaves by itself once the broker answers. */
export function OutOfReach() {
  const { t, reach } = usePortal();
  const isOut = useSyncExternalStore(
    reach.subscribe,
    () => reach.isOut,
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
