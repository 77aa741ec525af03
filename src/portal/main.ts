import '../brand/theme.css';
import './shell/shell.css';
import '../engine/react/tone.css';
import { setUpPortalPage } from './set-up-portal-page.ts';
import { enableEarlyInput, preloadPageModules } from './prerender/early-input.ts';
import { loadPageOrShowError } from './navigation/reload-page.ts';
import { isProbablySignedIn, subscribeToSessionChanges } from './session/session-hint.ts';

/** Events that show that the visitor is about to use the page. */
const intentEvents = ['pointermove', 'pointerdown', 'focusin'] as const;

/** Returns `null` if the page needs the script, or if the portal pushed the history entry, which only it restores. */
function findInformationPage(): HTMLElement | null {
  return history.state === null ? document.querySelector<HTMLElement>('#prerendered[data-whole]') : null;
}

/**
 * Shows a prerendered information page to anonymous visitors without starting the portal. At the first sign of intent,
 * prefetches the modules, because most visitors follow a link next. Calls `start` when a field gets the focus, when the
 * visitor signs in in another tab, or when Back reaches a history entry that the portal pushed before a reload, because
 * the browser loads no page for it.
 */
function startOnDemand(page: HTMLElement, start: () => void): void {
  page.querySelector('.header-unknown')?.classList.remove('header-unknown');
  const fields = [...page.querySelectorAll<HTMLInputElement>('input:disabled')];
  for (const field of fields) {
    field.disabled = false;
    field.addEventListener('focus', start, { once: true });
  }
  subscribeToSessionChanges(() => {
    if (isProbablySignedIn()) start();
  });
  const { pathname } = location;
  addEventListener('popstate', () => {
    if (location.pathname !== pathname) start();
  });
  const intended = new AbortController();
  const prepare = (event: Event): void => {
    if (isStationary(event)) return;
    intended.abort();
    preloadPageModules(page);
  };
  for (const intent of intentEvents) addEventListener(intent, prepare, { passive: true, signal: intended.signal });
}

/** Whether a `pointermove` event has no movement. Browsers fire it when a page loads under a resting pointer. */
function isStationary(event: Event): boolean {
  return event.type === 'pointermove' && event instanceof MouseEvent && event.movementX === 0 && event.movementY === 0;
}

/** Maximum wait for the first paint, in milliseconds. A page in a hidden tab is never painted. */
const maxPaintWaitMs = 300;

/** Runs a function after the first contentful paint, so that the script of the portal does not delay it. */
function runAfterPaint(run: () => void): void {
  let waiting = true;
  const once = (): void => {
    if (waiting) run();
    waiting = false;
  };
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) once();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(once, document.getElementById('prerendered') ? maxPaintWaitMs : 0);
}

const start = (): void =>
  loadPageOrShowError(async () => {
    if (prerendered) preloadPageModules(prerendered);
    await import('./create-root.ts');
    await import('./start.tsx');
  });

setUpPortalPage();
const prerendered = document.getElementById('prerendered');
if (prerendered) enableEarlyInput(prerendered);
const information = findInformationPage();
if (information === null || isProbablySignedIn()) runAfterPaint(start);
else startOnDemand(information, start);
