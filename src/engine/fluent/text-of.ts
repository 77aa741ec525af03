/** What a native control shows of a value: nothing of what is no text and no number. */
export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}
