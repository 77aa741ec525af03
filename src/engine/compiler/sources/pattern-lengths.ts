import { createRequire } from 'node:module';
import type * as Regexpp from '@eslint-community/regexpp';
import type * as Analysis from 'regexp-ast-analysis';

const require = createRequire(import.meta.url);

/** How many signs a text has that a regular expression (flag `u`) takes as a whole; without an anchor at an end there is no most. Null where the text is no regular expression. */
export function lengthsOf(pattern: string): { readonly min: number; readonly max: number } | null {
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp; // loaded at the first pattern, as `slowSign` does
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
