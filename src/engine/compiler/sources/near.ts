import type { Localized } from '../localized.ts';
import { say } from './say.ts';

/** The known name that a wrong one was most likely meant to be; undefined where none is near. */
export function nearest(wrong: string, known: Iterable<string>): string | undefined {
  const most = Math.ceil(wrong.length / 3);
  const isShortFor = (name: string) => wrong.length >= 3 && name.toLowerCase().startsWith(wrong.toLowerCase());
  const near = [...known]
    .map((name) => ({ name, changes: changesBetween(wrong.toLowerCase(), name.toLowerCase()) }))
    .filter(({ changes }) => changes <= most)
    .sort((a, b) => a.changes - b.changes);
  return near[0]?.name ?? [...known].find(isShortFor);
}

/** The question whether the near name was meant, with a blank behind it; empty where none is near. */
export function guess(wrong: string, known: Iterable<string>): Localized {
  const near = nearest(wrong, known);
  return near === undefined ? nothing : say`Did you mean "${near}"? `;
}

const nothing: Localized = say``;

/** What to write in the place of an unknown name: the one that is near, and all that there are. */
export function instead(wrong: string, known: Iterable<string>): Localized {
  const names = [...known];
  return say`${guess(wrong, names)}Known: ${names.join(', ') || say`none`}.`;
}

/** How many signs have to be put in, left out or replaced (Levenshtein). */
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
