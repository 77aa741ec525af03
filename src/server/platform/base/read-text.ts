/** A text of a checked body; absent is empty. */
export function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
