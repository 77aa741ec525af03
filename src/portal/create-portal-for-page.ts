import { readPageData } from './navigation/read-page-data.ts';
import { Portal } from './portal.ts';
import { loadPortalTexts } from './portal-texts.ts';

export async function createPortalForPage(): Promise<Portal> {
  const page = readPageData();
  const portal = new Portal(page, await loadPortalTexts(page.language));
  const keep = (): void => portal.definitions.storeInput();
  addEventListener('beforeunload', keep);
  // Also saves when the tab is hidden, because mobile browsers may close a hidden tab without another event.
  document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && keep());
  return portal;
}
