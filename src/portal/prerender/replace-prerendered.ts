/**
 * Leaves the prerendered page on view until the portal has drawn the page itself, then takes it away in the same moment; the focus goes
 * over to the same link of the same part of the page, or to where the skip link has led. Styles keep `root` out of view and out of the accessibility tree meanwhile.
 */
export function replacePrerendered(root: HTMLElement): void {
  const prerendered = document.getElementById('prerendered');
  if (!prerendered) return;
  const look = (): void => {
    if (!root.querySelector('main') || root.querySelector('.screen-waiting')) return;
    observer.disconnect();
    const { activeElement } = document;
    const focused = prerendered.contains(activeElement) ? activeElement : null;
    const link = focused?.getAttribute('href');
    const part = focused?.closest('header, main, footer')?.localName ?? '';
    const same = link ? `${part} a[href="${CSS.escape(link)}"]` : focused?.id ? `#${CSS.escape(focused.id)}` : null;
    prerendered.remove();
    if (same !== null) root.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
}
