import { cleanStored } from '../domain/stored-state.ts';
import { readPage } from './navigation/page.ts';
import { Portal } from './portal.ts';
import { now, setClock } from './session/clock.ts';
import { safeStorage } from './session/safe-storage.ts';
import { loadTexts } from './texts.ts';

/** The portal of the page that the browser has opened: by the server's clock, without what an ended session left. */
export async function openPage(): Promise<Portal> {
  const page = readPage();
  setClock(page.time);
  cleanStored(safeStorage, now());
  return new Portal(page, await loadTexts(page.language));
}
