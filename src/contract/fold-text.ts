export function foldAccentsAndCase(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

export function toHeadingAnchor(heading: string): string {
  return foldAccentsAndCase(heading)
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
