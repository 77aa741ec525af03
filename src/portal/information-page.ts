import { fetchModules } from './prerender/fetch-modules.ts';
import { onSession, seemsSignedIn } from './session/session-hint.ts';

/** The first signs that somebody is about to use the page. */
const intents = ['pointermove', 'pointerdown', 'focusin'] as const;

/**
 * The page on view, if it stands whole without the portal; null for any other, and for an entry of the history that the portal wrote: what it keeps
 * there, a search or a variable of a link, only the portal reads.
 */
export function informationPage(): HTMLElement | null {
  return history.state === null ? document.querySelector<HTMLElement>('#prerendered[data-whole]') : null;
}

/**
 * Keeps a page of information as the server drew it, for who is not signed in. At the first intent the portal's modules are fetched, but not
 * evaluated: most readers follow a link next, to a page that takes them from the cache. `start` is called for what the page itself
 * cannot do: when one of its fields gets the focus, when somebody signs in elsewhere, and when Back leads to an entry that an application
 * of this tab made before a reload, which the browser does not load.
 */
export function keepInformation(page: HTMLElement, start: () => void): void {
  page.querySelector('.header-unknown')?.classList.remove('header-unknown');
  const fields = [...page.querySelectorAll('input')];
  for (const field of fields) {
    field.disabled = false;
    field.addEventListener('focus', start, { once: true });
  }
  onSession(() => {
    if (seemsSignedIn()) start();
  });
  const { pathname } = location;
  addEventListener('popstate', () => {
    if (location.pathname !== pathname) start();
  });
  const intended = new AbortController();
  const prepare = (event: Event): void => {
    if (isStill(event)) return;
    intended.abort();
    fetchModules(page);
  };
  for (const intent of intents) addEventListener(intent, prepare, { passive: true, signal: intended.signal });
}

/** Browsers say where the pointer is, as a move, when a page comes under it. */
function isStill(event: Event): boolean {
  return event.type === 'pointermove' && event instanceof MouseEvent && event.movementX === 0 && event.movementY === 0;
}
