import { createRequire } from 'node:module';
import type * as Regexpp from '@eslint-community/regexpp';
import type * as Analysis from 'regexp-ast-analysis';

const require = createRequire(import.meta.url);

/** Returns the lengths of matching texts (flag `u`). Unanchored patterns have no maximum. Returns `null` for invalid patterns. */
export function lengthsOf(pattern: string): { readonly min: number; readonly max: number } | null {
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp; // loaded on first use, as in `slowSign`
  const { getLengthRange } = require('regexp-ast-analysis') as typeof Analysis;
  try {
    const ast = new RegExpParser().parseLiteral(`/${pattern.replaceAll('/', String.raw`\/`)}/u`);
    const { min, max } = getLengthRange(ast.pattern.alternatives, ast.flags);
    const isWhole = pattern.startsWith('^') && pattern.endsWith('$');
    return { min, max: isWhole ? max : Infinity };
  } catch {
    return null;
  }
}
