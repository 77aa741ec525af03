/** Loads what draws lists and tables of choices: a page without one does without. */
export function loadListField() {
  return import('./wide-fields.ts');
}
