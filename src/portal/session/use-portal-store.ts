import { useEffect, useState, useSyncExternalStore } from 'react';
import type { PortalStore } from '../../domain/root-store.ts';
import { usePortal } from '../portal-context.ts';
import { subscribeToSessionChanges, isProbablySignedIn } from './session-hint.ts';

/** Returns `null` until the store's module has loaded. If the module fails to load, throws during rendering. */
export function usePortalStore(): PortalStore | null {
  const portal = usePortal();
  const [store, setStore] = useState(portal.openedStore);
  useEffect(() => {
    let current = true;
    portal.store().then(
      (ready) => current && setStore(ready),
      (error: unknown) =>
        current &&
        setStore(() => {
          throw error;
        }),
    );
    return () => void (current = false);
  }, [portal]);
  return store;
}

/** Whether storage contains a session that has not expired. False while prerendering. */
export function useIsSignedIn(): boolean {
  return useSyncExternalStore(subscribeToSessionChanges, isProbablySignedIn, isSignedInOnServer);
}

function isSignedInOnServer(): boolean {
  return false;
}
