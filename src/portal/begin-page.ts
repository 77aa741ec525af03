import { cleanStored } from '../domain/stored-state.ts';
import { readPage } from './navigation/read-page.ts';
import { now, setClock } from './session/clock.ts';
import { safeStorage } from './session/safe-storage.ts';

export function beginPage(): void {
  setClock(readPage().time);
  cleanStored(safeStorage, now());
  addEventListener('click', askBeforeLeaving);
}

/** Asks before a link leads to another site. The notice is loaded with the first such click, and the link works without it. */
function askBeforeLeaving(event: MouseEvent): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (event.defaultPrevented || !link || link.closest('dialog.leaving') || !leadsOutside(link)) return;
  event.preventDefault();
  import('./shell/leave-notice.ts')
    .then(({ showLeaveNotice }) => showLeaveNotice(link))
    .catch(() => location.assign(link.href));
}

function leadsOutside({ protocol, origin }: HTMLAnchorElement): boolean {
  return /^https?:$/.test(protocol) && origin !== location.origin;
}
