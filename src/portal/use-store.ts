import { useEffect, useState } from 'react';
import type { Store } from '../domain/root-store.ts';
import { usePortal } from './portal-context.ts';

/** The domain store; null until its module is loaded. */
export function useStore(): Store | null {
  const portal = usePortal();
  const [store, setStore] = useState<Store | null>(null);
  useEffect(() => {
    let current = true;
    void portal.store().then((ready) => current && setStore(ready));
    return () => void (current = false);
  }, [portal]);
  return store;
}
