/**
 * Marks text that is not a valid date or time, so that every format refuses it and the control can show it again. A leading mark means incomplete, a
 * trailing mark an hour that the clock skips.
 */
const mark = '…';

/** Value of an incomplete input whose text the browser does not reveal. If the browser reveals the text, it follows the mark. */
export const incompleteValue = mark;

export function markIncomplete(typed: string): string {
  return mark + typed;
}

export function markSkippedHour(typed: string): string {
  return typed + mark;
}

/** Returns the typed text of a marked value, or `null` if it has no mark. */
export function readTypedText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.startsWith(mark)) return value.slice(mark.length);
  return value.endsWith(mark) ? value.slice(0, -mark.length) : null;
}

export function isSkippedHour(value: unknown): boolean {
  return typeof value === 'string' && !value.startsWith(mark) && value.endsWith(mark);
}
