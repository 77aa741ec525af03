import { useSyncExternalStore } from 'react';
import { onSession, seemsSignedIn } from './session-hint.ts';

/** Whether someone seems to be signed in. False while the server prerenders. */
export function useSignedIn(): boolean {
  return useSyncExternalStore(onSession, seemsSignedIn, nobody);
}

function nobody(): boolean {
  return false;
}
