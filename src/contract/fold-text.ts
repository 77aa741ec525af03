/** Removes accents and case, to compare user input. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** Returns the URL fragment of a heading. */
export function toAnchor(heading: string): string {
  return foldText(heading)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
