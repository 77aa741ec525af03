/**
 * Leaves what the server painted on view until the portal has drawn the page itself, then takes it away in the same moment; the focus goes
 * over to the same link, or to where the skip link has led. Styles keep `root` out of view and out of the accessibility tree meanwhile.
 */
export function replacePainted(root: HTMLElement): void {
  const painted = document.getElementById('painted');
  if (!painted) return;
  const look = (): void => {
    if (!root.querySelector('main') || root.querySelector('.screen-waiting')) return;
    observer.disconnect();
    const { activeElement } = document;
    const focused = painted.contains(activeElement) ? activeElement : null;
    const link = focused?.getAttribute('href');
    const same = link ? `a[href="${CSS.escape(link)}"]` : focused?.id ? `#${CSS.escape(focused.id)}` : null;
    painted.remove();
    if (same !== null) root.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
}
