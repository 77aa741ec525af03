import { readPage } from './navigation/page.ts';
import { Portal } from './portal.ts';
import { loadTexts } from './texts.ts';

/** The portal of the page that the browser has opened. */
export async function openPage(): Promise<Portal> {
  const page = readPage();
  const portal = new Portal(page, await loadTexts(page.language));
  const keep = (): void => portal.definitions.keepTyped();
  addEventListener('beforeunload', keep);
  // Of a tab out of sight a phone may end the page without a word.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep());
  return portal;
}
