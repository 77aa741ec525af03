import { useMemo } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import type { Address } from '../../engine/react/flow/flow-route.tsx';

export function useAddress(): Address {
  const location = useLocation();
  const pushed = useNavigationType() === NavigationType.Push;
  return useMemo(() => ({ search: location.search, history: location.state as unknown, pushed }), [location, pushed]);
}
