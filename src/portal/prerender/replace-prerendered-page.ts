import { loadingScreenClass } from '../../engine/react/flow/loading-placeholder.tsx';
import { pressedButtonAttribute } from './early-input.ts';

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

const controlSelector = 'input, select, textarea';

/** Returns a function that restores the state of `page` in `root`: input, blur of edited fields, expanded details, pressed button and focus. */
export function capturePrerenderedState(page: HTMLElement, root: HTMLElement): () => void {
  const focused = page.contains(document.activeElement) ? document.activeElement : null;
  const isSame = findScreen(page) === findScreen(root);
  const typed = isSame ? [...page.querySelectorAll<Control>(controlSelector)].filter(isTyped) : [];
  const entries = typed.map((from) => ({ from, find: createCounterpartFinder(page, root, from, controlSelector) }));
  const target = focused && (isSame || focused.matches('a')) ? createFocusFinder(page, root, focused) : null;
  const pressed = page.querySelector<HTMLButtonElement>(`button[${pressedButtonAttribute}='true']`);
  const press = isSame && pressed ? createCounterpartFinder(page, root, pressed, 'button') : null;
  const opened = [...page.querySelectorAll('details[open] > summary')];
  return () => {
    for (const summary of opened) findSummary(root, summary)?.parentElement?.setAttribute('open', '');
    for (const { from, find } of entries) {
      const field = find();
      enterValue(field, from);
      // dispatches `focusout`, which React handles as blur
      if (from !== focused) field?.dispatchEvent(new FocusEvent('focusout', { bubbles: true }));
    }
    const place = target?.();
    place?.focus({ preventScroll: true });
    if (focused instanceof HTMLInputElement && place instanceof HTMLInputElement && focused.selectionStart !== null)
      place.setSelectionRange(focused.selectionStart, focused.selectionEnd);
    press?.()?.click();
  };
}

function findScreen(part: HTMLElement): string | undefined {
  return part.querySelector<HTMLElement>('main [data-screen]')?.dataset.screen;
}

function createFocusFinder(
  page: HTMLElement,
  root: HTMLElement,
  focused: Element,
): () => HTMLElement | null | undefined {
  const link = focused.getAttribute('href');
  if (focused.matches('summary')) return () => findSummary(root, focused);
  const part = focused.closest('header, main, footer')?.localName ?? '';
  if (link !== null) return () => root.querySelector<HTMLElement>(`${part} a[href="${CSS.escape(link)}"]`);
  if (focused.matches('button')) return createCounterpartFinder(page, root, focused as HTMLButtonElement, 'button');
  if (focused.matches(controlSelector)) return createCounterpartFinder(page, root, focused as Control, controlSelector);
  return () => (focused.id === '' ? null : root.querySelector<HTMLElement>(`#${CSS.escape(focused.id)}`));
}

function findSummary(root: HTMLElement, { textContent }: Element): HTMLElement | undefined {
  return [...root.querySelectorAll('summary')].find((summary) => summary.textContent === textContent);
}

function createCounterpartFinder<Found extends Control | HTMLButtonElement>(
  page: HTMLElement,
  root: HTMLElement,
  from: Found,
  selector: string,
): () => Found | undefined {
  const like = (part: HTMLElement) =>
    [...part.querySelectorAll<Found>(selector)].filter(
      (each) => each.closest('main') && identifyControl(each) === identifyControl(from),
    );
  const turn = like(page).indexOf(from);
  return () => like(root)[turn];
}

/** The key of a button contains its text, because the browser may render more buttons than the server. */
function identifyControl(element: Control | HTMLButtonElement): string {
  return `${element.type} ${element instanceof HTMLButtonElement ? element.textContent : element.name}`;
}

function isTyped(control: Control): boolean {
  if (control instanceof HTMLSelectElement) {
    const initialOption = [...control.options].find((option) => option.hasAttribute('selected')) ?? control.options[0];
    return control.value !== initialOption?.value;
  }
  if (control instanceof HTMLInputElement && ['checkbox', 'radio'].includes(control.type))
    return control.checked !== control.defaultChecked;
  return control.value !== control.defaultValue;
}

/** Calls the setter of the prototype, because React ignores a value set through the element's own setter. */
function enterValue(field: Control | undefined, from: Control): void {
  if (!field) return;
  if (from instanceof HTMLInputElement && ['checkbox', 'radio'].includes(from.type)) {
    if (field instanceof HTMLInputElement && field.checked !== from.checked) field.click();
    return;
  }
  if (from instanceof HTMLInputElement && field instanceof HTMLInputElement && from.type === 'file') {
    field.files = from.files;
  } else {
    const { set } = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(field), 'value') ?? {};
    set?.call(field, from.value);
  }
  field.dispatchEvent(new Event('input', { bubbles: true }));
  field.dispatchEvent(new Event('change', { bubbles: true }));
}

/** Shows `root` once the portal has rendered into it, with the focus and the input. Until then, CSS hides it, also from assistive technology. */
export function replacePrerenderedPage(root: HTMLElement): void {
  const prerendered = document.getElementById('prerendered');
  if (!prerendered) return;
  const replaceWhenRendered = (): void => {
    if (!root.querySelector('main') || root.querySelector(`.${loadingScreenClass}`)) return;
    observer.disconnect();
    const finish = capturePrerenderedState(prerendered, root);
    prerendered.remove();
    finish();
  };
  const observer = new MutationObserver(replaceWhenRendered);
  observer.observe(root, { childList: true, subtree: true });
}
