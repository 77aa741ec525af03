/** Marks an invalid input, which the control still shows: before an incomplete input, after a time in an hour that DST skips. */
const mark = '…';

/** Value of an incomplete input whose text the browser does not expose. */
export const incompleteInputValue = mark;

export function markIncompleteInput(typed: string): string {
  return mark + typed;
}

export function markHourSkippedByDst(typed: string): string {
  return typed + mark;
}

export function readMarkedInputText(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.startsWith(mark)) return value.slice(mark.length);
  return value.endsWith(mark) ? value.slice(0, -mark.length) : null;
}

export function isHourSkippedByDst(value: unknown): boolean {
  return typeof value === 'string' && !value.startsWith(mark) && value.endsWith(mark);
}
