/** A text without accents and case, for comparing what people type. */
export function foldText(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

/** The anchor of a heading of a page, as links name it behind `#`. */
export function anchorOf(heading: string): string {
  return foldText(heading)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
