import { waitingClass } from '../../engine/react/flow/waiting.tsx';
import { handOver } from './hand-over.ts';

/**
 * Leaves the prerendered page on view until the portal has drawn the page itself, then takes it away in the same moment. Focus and input go
 * over. Styles keep `root` out of view and out of the accessibility tree meanwhile.
 */
export function replacePrerendered(root: HTMLElement): void {
  const prerendered = document.getElementById('prerendered');
  if (!prerendered) return;
  const look = (): void => {
    if (!root.querySelector('main') || root.querySelector(`.${waitingClass}`)) return;
    observer.disconnect();
    const finish = handOver(prerendered, root);
    prerendered.remove();
    finish();
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
}
