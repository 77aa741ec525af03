import { pruneStoredState } from '../domain/stored-state.ts';
import { readPageData } from './navigation/read-page-data.ts';
import { getServerTime, synchronizeClock } from './session/server-clock.ts';
import { safeStorage } from './session/safe-storage.ts';

export function setUpPortalPage(): void {
  synchronizeClock(readPageData().time);
  pruneStoredState(safeStorage, getServerTime());
  addEventListener('click', confirmLeaving);
}

/** Loads the notice at the first click. If loading fails, the link works without it. */
function confirmLeaving(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (event.defaultPrevented || !link || link.closest('dialog.leaving') || !isExternalLink(link)) return;
  event.preventDefault();
  import('./shell/external-link-notice.ts')
    .then(({ showExternalLinkNotice }) => showExternalLinkNotice(link))
    .catch(() => location.assign(link.href));
}

function isExternalLink({ protocol, origin }: HTMLAnchorElement): boolean {
  return /^https?:$/.test(protocol) && origin !== location.origin;
}
