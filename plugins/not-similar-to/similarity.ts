/**
 * Similarity of two texts from 0 to 1 after Ratcliff and Obershelp ("Pattern Matching: The Gestalt Approach", Dr. Dobb's
 * Journal, July 1988): twice the characters in common blocks by the sum of the lengths.
 */
export function similarity(a: string, b: string): number {
  const [left, right] = [[...a], [...b]];
  const length = left.length + right.length;
  return length === 0 ? 0 : (2 * matching(left, right)) / length;
}

function matching(a: readonly string[], b: readonly string[]): number {
  const block = longestBlock(a, b);
  if (block.size === 0) return 0;
  const before = matching(a.slice(0, block.a), b.slice(0, block.b));
  return before + block.size + matching(a.slice(block.a + block.size), b.slice(block.b + block.size));
}

/** The first longest run that both hold: where it starts in each, and its size. */
function longestBlock(a: readonly string[], b: readonly string[]): { a: number; b: number; size: number } {
  let best = { a: 0, b: 0, size: 0 };
  let above: number[] = [];
  for (let i = 0; i < a.length; i++) {
    const row: number[] = [];
    for (let j = 0; j < b.length; j++) {
      const size = a[i] === b[j] ? (above[j - 1] ?? 0) + 1 : 0;
      row.push(size);
      if (size > best.size) best = { a: i - size + 1, b: j - size + 1, size };
    }
    above = row;
  }
  return best;
}
