import { readStoredState, readTokenClaims } from '../../domain/stored-state.ts';
import { getServerTime } from './server-clock.ts';
import { safeStorage } from './safe-storage.ts';

/** Window event after a change of the session in this tab. Other tabs get the `storage` event. */
const changeEvent = 'portal-session';

/** Whether the storage has an unexpired session, for the header before the store has loaded. Only the server can verify it. */
export function isProbablySignedIn(): boolean {
  return readTokenClaims(readStoredState(safeStorage).token, getServerTime()) !== null;
}

export function notifySessionChange(): void {
  window.dispatchEvent(new Event(changeEvent));
}

export function subscribeToSessionChanges(listener: () => void): () => void {
  window.addEventListener(changeEvent, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(changeEvent, listener);
    window.removeEventListener('storage', listener);
  };
}
