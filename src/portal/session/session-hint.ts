import { readStored, readToken } from '../../domain/stored-state.ts';
import { now } from './clock.ts';
import { safeStorage } from './safe-storage.ts';

/** The event of this window that tells of a change of the session in it; other windows tell by `storage`. */
const changed = 'portal-session';

/** Whether someone seems to be signed in, from storage alone: for the header, before the store is loaded. The server decides. */
export function seemsSignedIn(): boolean {
  return readToken(readStored(safeStorage).token, now()) !== null;
}

/** Tells the shell that the session may have changed. */
export function tellSession(): void {
  window.dispatchEvent(new Event(changed));
}

/** Subscribes to changes of the session; answers the way to stop. */
export function onSession(listener: () => void): () => void {
  window.addEventListener(changed, listener);
  window.addEventListener('storage', listener);
  return () => {
    window.removeEventListener(changed, listener);
    window.removeEventListener('storage', listener);
  };
}
