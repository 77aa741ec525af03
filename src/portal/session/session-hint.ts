import { readStored, readToken } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import { safeStorage } from './safe-storage.ts';

/** Window event for changes of the session. Other windows use the `storage` event. */
const changed = 'portal-session';

/** Whether someone seems to be signed in, according to storage. For the header, before the store has loaded. The server decides. */
export function seemsSignedIn(): boolean {
  return readToken(readStored(safeStorage).token, now()) !== null;
}

export function notifySession(): void {
  window.dispatchEvent(new Event(changed));
}

export function onSession(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(changed, listener);
    window.removeEventListener('storage', listener);
  };
}
