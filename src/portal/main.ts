import '../brand/theme.css';
import './shell/shell.css';
import '../engine/react/tone.css';
import { beginPage } from './begin-page.ts';
import { takeEarlyInput, fetchModules } from './prerender/early-input.ts';
import { startPage } from './navigation/reload.ts';
import { seemsSignedIn, onSession } from './session/session-hint.ts';

/** First events that suggest that the visitor is about to use the page. */
const intents = ['pointermove', 'pointerdown', 'focusin'] as const;

/**
 * Returns the prerendered page if it works without the portal. Returns `null` otherwise, and for a history entry of the portal, whose state only the
 * portal can restore.
 */
function informationPage(): HTMLElement | null {
  return history.state === null ? document.querySelector<HTMLElement>('#prerendered[data-whole]') : null;
}

/**
 * Shows a prerendered information page to anonymous visitors without starting the portal. Fetches the modules at the first intent, but does not
 * evaluate them: most readers follow a link next, and that page then finds them in the cache. Calls `start` when a field gets the focus, or when
 * the visitor signs in in another tab. Also calls it when Back leads to a history entry that the portal pushed before a reload, because the
 * browser does not load such an entry.
 */
function keepInformation(page: HTMLElement, start: () => void): void {
  page.querySelector('.header-unknown')?.classList.remove('header-unknown');
  const fields = [...page.querySelectorAll<HTMLInputElement>('input:disabled')];
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

/** Browsers fire a move event for a resting pointer when a page loads under it. */
function isStill(event: Event): boolean {
  return event.type === 'pointermove' && event instanceof MouseEvent && event.movementX === 0 && event.movementY === 0;
}

/** Longest wait for the first paint. Hidden pages never paint. */
const longestWaitMs = 300;

/** Runs after the first contentful paint, so that the script does not delay it. */
function afterPaint(run: () => void): void {
  let waiting = true;
  const once = (): void => {
    if (waiting) run();
    waiting = false;
  };
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) once();
  }).observe({ type: 'paint', buffered: true });
  setTimeout(once, document.getElementById('prerendered') ? longestWaitMs : 0);
}

const start = (): void =>
  startPage(async () => {
    if (prerendered) fetchModules(prerendered);
    await import('./root.ts');
    await import('./start.tsx');
  });

beginPage();
const prerendered = document.getElementById('prerendered');
if (prerendered) takeEarlyInput(prerendered);
const information = informationPage();
if (information === null || seemsSignedIn()) afterPaint(start);
else keepInformation(information, start);
