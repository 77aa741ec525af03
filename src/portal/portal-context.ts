import { createContext, useContext } from 'react';
import type { Portal } from './portal.ts';

const PortalContext = createContext<Portal | null>(null);

export const PortalProvider = PortalContext.Provider;

export function usePortal(): Portal {
  const portal = useContext(PortalContext);
  if (!portal) throw new Error('There is no PortalProvider above.');
  return portal;
}
