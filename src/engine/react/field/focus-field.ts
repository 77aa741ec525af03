import { idOfField } from './form-context.ts';

/** Moves the focus to a field: to its control, or, where a theme gives the id of that to what takes no focus or to nothing, to the first in the field that takes it. */
export function focusField(name: string): void {
  const within = `[data-field="${CSS.escape(name)}"] :is(input, select, textarea, button, [tabindex="0"])`;
  for (const one of [document.getElementById(idOfField(name)), ...document.querySelectorAll<HTMLElement>(within)]) {
    one?.focus();
    if (one === document.activeElement) return;
  }
}
