let isLeft = false;

/** Loads the page anew when the server answers, unless somebody is on the way to another; else everything stays as it is. Answers whether the page is loaded anew. */
export async function reloadPage(): Promise<boolean> {
  const goes = (await isReachable()) && !isLeft; // a link that was followed meanwhile would be forgotten
  if (goes) window.location.reload();
  return goes;
}

/** Loads the page anew because something could not be loaded: once; what fails after that is thrown. */
export async function reloadOnce(error: unknown): Promise<never> {
  if (!wasReloaded() && (await reloadPage())) return await new Promise(() => undefined); // the page goes
  throw error;
}

/** Loads what draws the page; where that cannot be done, the page says so itself, by its styles. */
export function startPage(load: () => Promise<unknown>): void {
  addEventListener('beforeunload', () => (isLeft = true));
  load()
    .catch(reloadOnce)
    .catch((error: unknown) => {
      document.body.classList.add('not-started');
      dispatchEvent(new Event('scripts-missing')); // the page's first script tries again
      reportError(error);
    });
}

/** Whether the server answers. */
export function isReachable(): Promise<boolean> {
  return fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

function wasReloaded(): boolean {
  return performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');
}
