/** Marks text that is no moment: each format refuses it, and the control shows the text again. In front: typed in part. At the end: skipped by the clock. */
const mark = '…';

/** Stands for what is typed in part: alone where the browser does not tell the text, else in front of it. */
export const incomplete = mark;

/** What is stored of text that is no whole date or hour. */
export function unfinished(typed: string): string {
  return mark + typed;
}

/** What is stored of an hour that the clock skips when it is set forward. */
export function skippedHour(typed: string): string {
  return typed + mark;
}

/** The typed text behind a value that is no moment; `null` where the value has no mark. */
export function typedBehind(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  if (value.startsWith(mark)) return value.slice(mark.length);
  return value.endsWith(mark) ? value.slice(0, -mark.length) : null;
}

/** Whether a value is an hour that the clock skips. */
export function isSkippedHour(value: unknown): boolean {
  return typeof value === 'string' && !value.startsWith(mark) && value.endsWith(mark);
}
