import { cleanStored } from '../domain/stored-state.ts';
import { readPage } from './navigation/page.ts';
import { now, setClock } from './session/clock.ts';
import { safeStorage } from './session/safe-storage.ts';

/** Takes the server's time, as soon as the page is there, and cleans the storage of what an ended session left. */
export function beginPage(): void {
  setClock(readPage().time);
  cleanStored(safeStorage, now());
}
