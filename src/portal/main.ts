import '../brand/theme.css';
import './shell/shell.css';
import '../engine/react/tone.css';
import { beginPage } from './begin-page.ts';
import { informationPage, keepInformation } from './information-page.ts';
import { takeEarlyInput, fetchModules } from './prerender/early-input.ts';
import { startPage } from './navigation/reload.ts';
import { seemsSignedIn } from './session/session-hint.ts';

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
