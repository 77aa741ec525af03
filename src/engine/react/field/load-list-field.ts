/** Loads what draws lists: a page without one does without. */
export function loadListField() {
  return import('./list-field.tsx');
}
