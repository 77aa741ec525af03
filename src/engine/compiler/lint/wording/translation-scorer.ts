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
  const computeScore = (here: readonly string[], there: readonly string[]) => {
    if (here.length === 0 || there.length === 0) return 0;
    const back = there.map(() => 0);
    let forth = 0;
    for (const word of here) {
      const [beside, count] = [together.get(word), own.get(word) ?? 0];
      let best = 0;
      there.forEach((other, index) => {
        const both = beside?.get(other) ?? 0;
        const known = both < 2 ? 0 : (2 * both) / (count + (others.get(other) ?? 0));
        const fits = word === other ? 1 : Math.max(known, computeSimilarity(word, other));
        if (fits > best) best = fits;
        if (fits > (back[index] ?? 0)) back[index] = fits;
      });
      forth += best;
    }
    return (forth / here.length + back.reduce((sum, best) => sum + best, 0) / there.length) / 2;
  };
  const scores = new Map<string, Map<string, number>>();
  return (text, translated) => {
    const known = scores.get(text) ?? new Map<string, number>();
    scores.set(text, known);
    const score = known.get(translated) ?? computeScore(listWords(text), listWords(translated));
    known.set(translated, score);
    return score;
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
  if (a[0] !== b[0]) return 0;
  let same = 1;
  while (same < a.length && a[same] === b[same]) same += 1;
  return same < 3 && a !== b ? 0 : same / Math.max(a.length, b.length);
}
