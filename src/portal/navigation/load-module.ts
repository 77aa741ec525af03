import { canReachServer, reloadPageOnce, reloadPageIfReachable } from './reload-page.ts';

/** Stylesheets that failed to load. `loadModuleWithRetry` retries them, because Vite does not. */
const failedStylesheets = new Set<HTMLLinkElement>();

/**
 * Loads a module. Retries once if the server is reachable. If the retry fails too, reloads the page as `reload` allows,
 * because some browsers never fetch a failed module again (https://github.com/whatwg/html/pull/10327), and a deployment
 * removes old files. Rejects if the page is not reloaded.
 */
export async function loadModuleWithRetry<Part>(
  load: () => Promise<Part>,
  reload: 'once' | 'always' | 'never' = 'once',
): Promise<Part> {
  globalThis.addEventListener?.('error', recordFailedStylesheet, true); // repeated calls are harmless, because the browser registers the listener only once; on the server, `addEventListener` is undefined
  try {
    return await loadWithStylesheets(load);
  } catch (error) {
    if (!(await canReachServer())) throw error;
  }
  try {
    return await loadWithStylesheets(load);
  } catch (error) {
    if (reload === 'never') throw error;
    if (reload === 'always' && (await reloadPageIfReachable())) return await new Promise(() => undefined); // never resolves, because the page is about to reload
    return reloadPageOnce(error);
  }
}

function recordFailedStylesheet({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') failedStylesheets.add(target);
}

/** Retries failed stylesheets first. One that fails again does not prevent the call. */
async function loadWithStylesheets<Part>(load: () => Promise<Part>): Promise<Part> {
  const links = [...failedStylesheets];
  failedStylesheets.clear();
  await Promise.all(links.map(retryStylesheet));
  return load();
}

function retryStylesheet(link: HTMLLinkElement): Promise<unknown> {
  const again = link.cloneNode() as HTMLLinkElement; // `cloneNode` is typed as `Node`, but returns an element of the same type
  const settled = new Promise((resolve) => (again.onload = again.onerror = resolve));
  link.replaceWith(again);
  return settled;
}
