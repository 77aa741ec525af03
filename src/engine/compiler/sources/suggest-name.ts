import { say } from './say.ts';
import type { Localized } from '../localized.ts';

/** Returns the known name closest to a wrong one, or `undefined` if none is close. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  const most = Math.ceil(wrong.length / 3);
  const isShortFor = (name: string) => wrong.length >= 3 && name.toLowerCase().startsWith(wrong.toLowerCase());
  const near = [...known]
    .map((name) => ({ name, changes: changesBetween(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes);
  return near[0]?.name ?? [...known].find(isShortFor);
}

/** Asks whether a similar name was meant, with a trailing blank. Empty if there is none. */
export function guess(wrong: string, known: Iterable<string>): Localized {
  const near = nearest(wrong, known);
  return near === undefined ? nothing : say`Did you mean "${near}"? `;
}

const nothing: Localized = say``;

export function instead(wrong: string, known: Iterable<string>): Localized {
  const names = [...known];
  return say`${guess(wrong, names)}Known: ${names.join(', ') || say`none`}.`;
}

/** Levenshtein distance. */
function changesBetween(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [line, sign] of [...from].entries()) {
    const next = [line + 1];
    for (let column = 1; column <= to.length; column += 1) {
      const replaced = (row[column - 1] ?? 0) + (to[column - 1] === sign ? 0 : 1);
      next.push(Math.min(replaced, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
