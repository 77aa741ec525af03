import { readPage } from './navigation/page.ts';
import { Portal } from './portal.ts';
import { loadTexts } from './texts.ts';

/** The portal of the page that the browser has opened. */
export async function openPage(): Promise<Portal> {
  const page = readPage();
  return new Portal(page, await loadTexts(page.language));
}
