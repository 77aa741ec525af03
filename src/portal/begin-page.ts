import { cleanStored } from '../domain/stored-state.ts';
import { readPage } from './navigation/page.ts';
import { now, setClock } from './session/clock.ts';
import { safeStorage } from './session/safe-storage.ts';

/** Sets the clock to the server's time and clears stored data of an ended session. */
export function beginPage(): void {
  setClock(readPage().time);
  cleanStored(safeStorage, now());
}
