let isLeaving = false;

/** Reloads the page if the server is reachable and no other navigation has started. Returns whether the page reloads. */
export async function reloadPageIfReachable(): Promise<boolean> {
  const goes = (await canReachServer()) && !isLeaving; // does not reload after a navigation that started during the check, because a reload would cancel it
  if (goes) window.location.reload();
  return goes;
}

/** Reloads the page after a failed load. Throws `error` if the page was already reloaded because of a failed load. */
export async function reloadPageOnce(error: unknown): Promise<never> {
  if (!wasReloaded() && (await reloadPageIfReachable())) return await new Promise(() => undefined); // never resolves, because the page is about to reload
  throw error;
}

/** Loads the code that renders the page. If the code fails to load, a CSS class of the body shows an error message. */
export function loadPageOrShowError(load: () => Promise<unknown>): void {
  addEventListener('beforeunload', () => (isLeaving = true));
  load()
    .catch(reloadPageOnce)
    .catch((error: unknown) => {
      document.body.classList.add('not-started');
      dispatchEvent(new Event('scripts-missing')); // the inline script of the page handles this event, and retries
      reportError(error);
    });
}

export function canReachServer(): Promise<boolean> {
  return fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

function wasReloaded(): boolean {
  return performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');
}
