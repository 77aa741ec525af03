/**
 * Similarity of two texts from 0 to 1 after Ratcliff and Obershelp ("Pattern Matching: The Gestalt Approach", Dr. Dobb's Journal, July 1988): twice
 * the number of matching characters divided by the total length.
 */
export function similarity(a: string, b: string): number {
  return ratio(codePoints(a), codePoints(b));
}

/** Whether the similarity of two texts is above `threshold`. Skips the comparison if the lengths rule it out. */
export function resembles(a: string, b: string, threshold: number): boolean {
  const [left, right] = [codePoints(a), codePoints(b)];
  const most = (2 * Math.min(left.length, right.length)) / (left.length + right.length);
  return most > threshold && ratio(left, right) > threshold;
}

function codePoints(text: string): Uint32Array {
  return Uint32Array.from(text, (character) => character.codePointAt(0) ?? 0);
}

function ratio(a: Uint32Array, b: Uint32Array): number {
  const length = a.length + b.length;
  if (length === 0) return 0;
  return (2 * matching(a, b, { from: 0, to: a.length, fromB: 0, toB: b.length })) / length;
}

/** A range of each text. */
interface Window {
  readonly from: number;
  readonly to: number;
  readonly fromB: number;
  readonly toB: number;
}

/** A common substring: its length, and its end in each text. */
interface Block {
  readonly size: number;
  readonly end: number;
  readonly endB: number;
}

/**
 * Counts the characters in matching blocks: the longest block, then recursively on both sides. The ranges before the first block of a size have only
 * shorter blocks, so one pass finds all blocks of that size. Each recursion level has shorter blocks, hence at most √(2n) levels for n characters.
 */
function matching(a: Uint32Array, b: Uint32Array, window: Window): number {
  let block = firstBlock(a, b, window);
  const { size } = block;
  if (size === 0) return 0;
  let total = 0;
  let rest = window;
  while (block.size === size) {
    total += size + matching(a, b, { ...rest, to: block.end - size, toB: block.endB - size });
    rest = { ...rest, from: block.end, fromB: block.endB };
    block = firstBlock(a, b, rest, size);
  }
  return total + matching(a, b, rest);
}

/** Finds the longest common substring of two ranges, or the first of length `enough`. Ties go to the first in `a`, then to the first in `b`. */
function firstBlock(a: Uint32Array, b: Uint32Array, window: Window, enough = Infinity): Block {
  const { from, to, fromB, toB } = window;
  const runs = new Uint16Array(Math.max(0, toB - fromB) + 1); // run lengths by position in `b`, overwritten row by row
  let best: Block = { size: 0, end: from, endB: fromB };
  for (let i = from; i < to; i++) {
    const before = best.size;
    let size = before;
    let endB = 0;
    for (let j = toB; j > fromB; j--) {
      const run = a[i] === b[j - 1] ? (runs[j - 1 - fromB] ?? 0) + 1 : 0;
      runs[j - fromB] = run;
      if (run > before && run >= size) {
        size = run;
        endB = j;
      }
    }
    if (size > before) best = { size, end: i + 1, endB };
    if (size >= enough) break;
  }
  return best;
}
