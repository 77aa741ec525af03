import { waitingClass } from '../../engine/react/flow/waiting.tsx';

/**
 * Leaves the prerendered page on view until the portal has drawn the page itself, then takes it away in the same moment; the focus goes
 * over to the same link of the same part of the page, to the same field, or to where the skip link has led, and what was typed with it. Styles keep `root` out of view and out of the accessibility tree meanwhile.
 */
export function replacePrerendered(root: HTMLElement): void {
  const prerendered = document.getElementById('prerendered');
  if (!prerendered) return;
  const look = (): void => {
    if (!root.querySelector('main') || root.querySelector(`.${waitingClass}`)) return;
    observer.disconnect();
    const { activeElement } = document;
    const focused = prerendered.contains(activeElement) ? activeElement : null;
    const link = focused?.getAttribute('href');
    const part = focused?.closest('header, main, footer')?.localName ?? '';
    const same = link ? `${part} a[href="${CSS.escape(link)}"]` : focused?.id ? `#${CSS.escape(focused.id)}` : null;
    const typed = [...prerendered.querySelectorAll('input')].filter(({ id, value }) => id !== '' && value !== '');
    prerendered.remove();
    if (same !== null) root.querySelector<HTMLElement>(same)?.focus({ preventScroll: true });
    for (const { id, value } of typed) enter(root.querySelector(`#${CSS.escape(id)}`), value);
  };
  const observer = new MutationObserver(look);
  observer.observe(root, { childList: true, subtree: true });
}

/** Enters a text as typing would: past the setter by which React knows what it wrote itself. */
function enter(field: HTMLInputElement | null, text: string): void {
  if (!field) return;
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
