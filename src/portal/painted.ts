/**
 * Leaves what the server painted on view until the portal has drawn the page itself, then takes it away in the same moment; the focus goes
 * over to the same link. Styles keep `root` out of view and out of the accessibility tree meanwhile.
 */
export function replacePainted(root: HTMLElement): void {
  const painted = document.getElementById('painted');
  if (!painted) return;
  const look = (): void => {
    if (!root.querySelector('main') || root.querySelector('.screen-waiting')) return;
    observer.disconnect();
    const { activeElement } = document;
    const link = painted.contains(activeElement) ? activeElement?.getAttribute('href') : null;
    painted.remove();
    if (link) root.querySelector<HTMLElement>(`a[href="${CSS.escape(link)}"]`)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
}
