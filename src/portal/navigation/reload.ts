let isLeft = false;

/** Loads the page anew when the server answers, unless somebody is on the way to another; else everything stays as it is. Answers whether the page is loaded anew. */
export async function reloadPage(): Promise<boolean> {
  const reachable = await fetch(window.location.href, { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
  const goes = reachable && !isLeft; // a link that was followed meanwhile would be forgotten
  if (goes) window.location.reload();
  return goes;
}

/**
 * Loads a part of the portal. A browser never asks again for a module that once could not be loaded, and after a new build it is not there
 * any more: the page is loaded anew, once; what fails after that is told.
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  try {
    return await load();
  } catch (error) {
    if (!wasReloaded() && (await reloadPage())) return await new Promise(() => undefined); // the page goes
    throw error;
  }
}

/** Loads what draws the page; where that cannot be done, the page says so itself, by its styles. */
export function startPage(load: () => Promise<unknown>): void {
  addEventListener('beforeunload', () => (isLeft = true));
  loadPart(load).catch((error: unknown) => {
    document.body.classList.add('not-started');
    reportError(error);
  });
}

function wasReloaded(): boolean {
  return performance.getEntriesByType('navigation').some((entry) => 'type' in entry && entry.type === 'reload');
}
