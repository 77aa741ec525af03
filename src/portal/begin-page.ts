import { cleanStored } from '../domain/stored-state.ts';
import { readPage } from './navigation/read-page.ts';
import { now, setClock } from './session/clock.ts';
import { safeStorage } from './session/safe-storage.ts';

export function beginPage(): void {
  setClock(readPage().time);
  cleanStored(safeStorage, now());
}
