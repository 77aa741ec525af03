import { readStoredState, readToken } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import { safeStorage } from './safe-storage.ts';

/** Window event for changes of the session. Other windows use the `storage` event. */
const changeEvent = 'portal-session';

/** Whether someone seems to be signed in, according to storage. For the header, before the store has loaded. The server decides. */
export function isProbablySignedIn(): boolean {
  return readToken(readStoredState(safeStorage).token, now()) !== null;
}

export function notifySessionChange(): void {
  window.dispatchEvent(new Event(changeEvent));
}

export function subscribeToSession(listener: () => void): () => void {
  window.addEventListener(changeEvent, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(changeEvent, listener);
    window.removeEventListener('storage', listener);
  };
}
