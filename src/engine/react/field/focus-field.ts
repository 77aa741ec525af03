import { idOfField } from './form-context.ts';

const controls = 'input:not([type=hidden]), select, textarea, button, [tabindex="0"]';

/** Moves the focus to a field: to its control, or, where a theme gives the id of that to what takes no focus or to nothing, to the first in the field that takes it. */
export function focusField(name: string): void {
  const control = document.getElementById(idOfField(name));
  control?.focus();
  if (control !== null && control === document.activeElement) return;
  const field = document.querySelector(`[data-field="${CSS.escape(name)}"]`);
  const found = field?.querySelectorAll<HTMLElement>(controls) ?? [];
  for (const one of found) {
    one.focus();
    if (one === document.activeElement) return;
  }
}
