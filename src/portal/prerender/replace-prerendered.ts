import { waitingClass } from '../../engine/react/flow/waiting.tsx';
import { handOver } from './hand-over.ts';

/**
 * Replaces the prerendered page by `root` as soon as the portal has rendered the page. Transfers focus and input. Until then CSS hides `root`, also
 * from the accessibility tree.
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
