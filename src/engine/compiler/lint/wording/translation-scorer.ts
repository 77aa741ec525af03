import { listNormalizedWords } from './words.ts';

/** Returns a score from 0 to 1 of how well a translation fits a text. */
type TranslationScorer = (text: string, translated: string) => number;

/** Learns from all translations which words correspond. Returns a function that scores a translation by corresponding and similar words. */
export function createTranslationScorer(
  pairs: readonly { readonly text: string; readonly translated: string }[],
): TranslationScorer {
  const [own, others, together] = [new Map<string, number>(), new Map<string, number>(), new Map<string, Counts>()];
  const words = new Map<string, readonly string[]>();
  const listWords = (text: string) => {
    const known = words.get(text) ?? listUniqueWords(text);
    words.set(text, known);
    return known;
  };
  for (const { text, translated } of pairs) {
    const [here, there] = [listWords(text), listWords(translated)];
    for (const other of there) increment(others, other);
    for (const word of here) {
      increment(own, word);
      const beside = together.get(word) ?? new Map<string, number>();
      together.set(word, beside);
      for (const other of there) increment(beside, other);
    }
  }
  const affinity = (word: string, other: string) => {
    if (word === other) return 1;
    const both = together.get(word)?.get(other) ?? 0;
    const known = both < 2 ? 0 : (2 * both) / ((own.get(word) ?? 0) + (others.get(other) ?? 0));
    return Math.max(known, computeSimilarity(word, other));
  };
  return (text, translated) => {
    const [here, there] = [listWords(text), listWords(translated)];
    if (here.length === 0 || there.length === 0) return 0;
    const back = there.map(() => 0);
    let forth = 0;
    for (const word of here) {
      let best = 0;
      for (const [index, other] of there.entries()) {
        const fits = affinity(word, other);
        best = Math.max(best, fits);
        back[index] = Math.max(back[index] ?? 0, fits);
      }
      forth += best;
    }
    return (forth / here.length + back.reduce((sum, best) => sum + best, 0) / there.length) / 2;
  };
}

function listUniqueWords(text: string): readonly string[] {
  const words = new Set(listNormalizedWords(text));
  const longWords = [...words].filter((word) => word.length > 2 || /\d/.test(word));
  return longWords.length > 0 ? longWords : [...words];
}

type Counts = Map<string, number>;

function increment(table: Counts, key: string): void {
  table.set(key, (table.get(key) ?? 0) + 1);
}

/** Returns the similarity of two words as the share of their common prefix, which is often long in related languages. */
function computeSimilarity(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same < 3 && a !== b ? 0 : same / Math.max(a.length, b.length);
}
