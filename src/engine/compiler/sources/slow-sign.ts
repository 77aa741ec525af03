import { createRequire } from 'node:module';
import type { analyse as Analyse } from 'scslre';

const require = createRequire(import.meta.url);
const known = new Map<string, string | null>();

/**
 * Returns a character whose repetition makes a regular expression (flag `u`) take polynomial or exponential time. Returns `null` if there is none, or
 * the pattern is invalid. The static analysis is loaded on first use, since loading takes 0.2 s.
 */
export function slowSign(pattern: string): string | null {
  const before = known.get(pattern);
  if (before !== undefined) return before;
  const { analyse } = require('scslre') as { analyse: typeof Analyse };
  const found = worstSign(analyse, pattern);
  known.set(pattern, found);
  return found;
}

function worstSign(analyse: typeof Analyse, pattern: string): string | null {
  try {
    const { reports } = analyse({ source: pattern, flags: 'u' });
    const [worst] = [...reports].sort((a, b) => Number(b.exponential) - Number(a.exponential));
    return worst ? worst.character.pick : null;
  } catch {
    return null;
  }
}
