import { isReachable, reloadOnce, reloadPage } from './reload.ts';

/** Links of stylesheets that could not be loaded. Vite asks for each only once. */
const lostSheets = new Set<HTMLLinkElement>();

/**
 * Loads a part of the portal, and once more where the server answers: what a drop of the connection lost comes then. A browser that never asks
 * again for a lost module (https://github.com/whatwg/html/pull/10327) needs the page anew, and so does a new build, in which the module is gone:
 * `reload` says whether that is done, by default once. What fails after that is thrown.
 */
export async function loadPart<Part>(
  load: () => Promise<Part>,
  reload: 'once' | 'always' | 'never' = 'once',
): Promise<Part> {
  globalThis.addEventListener?.('error', noteLostSheet, true); // the same one each time; the server, which draws pages too, has none
  try {
    return await withSheets(load);
  } catch (error) {
    if (!(await isReachable())) throw error;
  }
  try {
    return await withSheets(load);
  } catch (error) {
    if (reload === 'never') throw error;
    if (reload === 'always' && (await reloadPage())) return await new Promise(() => undefined); // the page goes
    return reloadOnce(error);
  }
}

function noteLostSheet({ target }: Event): void {
  if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') lostSheets.add(target);
}

/** Loads a part once the stylesheets that were lost have been asked for again; without one of them it still serves. */
async function withSheets<Part>(load: () => Promise<Part>): Promise<Part> {
  const links = [...lostSheets];
  lostSheets.clear();
  await Promise.all(links.map(linkAgain));
  return load();
}

function linkAgain(link: HTMLLinkElement): Promise<unknown> {
  const again = link.cloneNode() as HTMLLinkElement; // a clone of its own kind
  const settled = new Promise((resolve) => (again.onload = again.onerror = resolve));
  link.replaceWith(again);
  return settled;
}
