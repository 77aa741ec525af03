import type { FormModel } from '../../runtime/form/form-model.ts';

/**
 * Reports to React what controls hold that were filled without an event: by a password manager, or by the browser when it restores a page.
 * React itself drops the events of those whose value it knows.
 */
export function readControls(form: HTMLFormElement, draft: FormModel): void {
  for (const control of form.elements) {
    const event = missedEvent(control, (name) => draft.field(name)?.typed);
    if (event !== null) control.dispatchEvent(new Event(event, { bubbles: true }));
  }
}

/** The event that tells of a control's content, by how React listens to it; null if its field holds that already. */
function missedEvent(control: Element, typedIn: (name: string) => unknown): 'input' | 'click' | 'change' | null {
  if (control instanceof HTMLSelectElement)
    return control.selectedIndex > 0 && typedIn(control.name) === undefined ? 'change' : null;
  if (control instanceof HTMLTextAreaElement) return isTyped(control.value, typedIn(control.name)) ? null : 'input';
  if (!(control instanceof HTMLInputElement) || control.readOnly || control.type === 'file') return null;
  if (control.type === 'checkbox' || control.type === 'radio')
    return control.checked && [typedIn(control.name) ?? []].flat().length === 0 ? 'click' : null;
  return isTyped(control.value, typedIn(control.name)) ? null : 'input';
}

function isTyped(text: string, typed: unknown): boolean {
  return text === (typed ?? '');
}
