import type { analyse as Analyse } from 'scslre';

/** Answers a sign whose repetition makes a pattern of a schema slow; null where none does. */
export type SlowSign = (pattern: string) => string | null;

/** Loads what judges patterns, which only checks need. */
export async function loadSlowSign(): Promise<SlowSign> {
  const { analyse } = await import('scslre');
  const known = new Map<string, string | null>();
  return (pattern) => {
    const before = known.get(pattern);
    if (before !== undefined) return before;
    const found = signIn(analyse, pattern);
    known.set(pattern, found);
    return found;
  };
}

function signIn(analyse: typeof Analyse, pattern: string): string | null {
  try {
    const { reports } = analyse({ source: pattern, flags: 'u' });
    const [worst] = [...reports].sort((a, b) => Number(b.exponential) - Number(a.exponential));
    return worst ? worst.character.pick : null;
  } catch {
    return null; // no regular expression: the compiler says so
  }
}
