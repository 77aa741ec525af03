import { wordsIn } from './own-words.ts';

/** A share of 0 to 1: how well a text and a translation of it belong together. */
type Fit = (text: string, translated: string) => number;

/** Learns from all translations of a set which words go with which, and tells how well two texts belong together: by those words, by words alike, and by their lengths. */
export function translationFit(pairs: readonly { readonly text: string; readonly translated: string }[]): Fit {
  const [own, others, together] = [new Map<string, number>(), new Map<string, number>(), new Map<string, number>()];
  for (const { text, translated } of pairs) {
    const [here, there] = [wordsOnce(text), wordsOnce(translated)];
    for (const word of here) count(own, word);
    for (const other of there) count(others, other);
    for (const word of here) for (const other of there) count(together, `${word} ${other}`);
  }
  const words = new Map<string, readonly string[]>();
  const wordsOf = (text: string) => {
    const known = words.get(text) ?? wordsOnce(text);
    words.set(text, known);
    return known;
  };
  const affinity = (word: string, other: string) => {
    const both = together.get(`${word} ${other}`) ?? 0;
    const known = both < 2 ? 0 : (2 * both) / ((own.get(word) ?? 0) + (others.get(other) ?? 0));
    return Math.max(known, likeness(word, other));
  };
  const covered = (all: readonly string[], by: (word: string) => number) =>
    all.length === 0 ? 0 : all.reduce((sum, word) => sum + by(word), 0) / all.length;
  return (text, translated) => {
    const [here, there] = [wordsOf(text), wordsOf(translated)];
    const forth = covered(here, (word) => Math.max(0, ...there.map((other) => affinity(word, other))));
    const back = covered(there, (other) => Math.max(0, ...here.map((word) => affinity(word, other))));
    return (forth + back) / 2;
  };
}

function wordsOnce(text: string): readonly string[] {
  const words = new Set(wordsIn(text));
  const long = [...words].filter((word) => word.length > 2 || /\d/.test(word));
  return long.length > 0 ? long : [...words];
}

function count(table: Map<string, number>, key: string): void {
  table.set(key, (table.get(key) ?? 0) + 1);
}

/** How much of two words is the same from their beginning on: related languages share it. */
function likeness(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same < 3 && a !== b ? 0 : same / Math.max(a.length, b.length);
}
