import { createRequire } from 'node:module';
import type * as Regexpp from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import type * as Analysis from 'regexp-ast-analysis';
import type { analyse as Analyse } from 'scslre';

const require = createRequire(import.meta.url);

/** Parses a pattern with the flag `u`. Throws if the pattern is invalid. Loads the parser on first use, because loading takes time. */
function parsePattern(pattern: string): AST.RegExpLiteral {
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp;
  return new RegExpParser().parseLiteral(`/${pattern.replaceAll('/', String.raw`\/`)}/u`);
}

/** Assumes the flag `u`. A pattern without anchors has no maximum. Returns `null` for an invalid pattern. */
export function findPatternLengthRange(pattern: string): { readonly min: number; readonly max: number } | null {
  const { getLengthRange } = require('regexp-ast-analysis') as typeof Analysis;
  try {
    const ast = parsePattern(pattern);
    const { min, max } = getLengthRange(ast.pattern.alternatives, ast.flags);
    return { min, max: pattern.startsWith('^') && pattern.endsWith('$') ? max : Infinity };
  } catch {
    return null;
  }
}

/** Orders of preference for the character that represents a class. Each order produces a different sample. */
const characterOrders = ['a0 -.@', 'A0 -.@', '0aA -.@', '1-aA@'] as const;
const otherCharacters = String.raw`_/:,+'"()[]{}!#$%&*;<=>?\^|~ñé`;

/** Returns sample texts that match a pattern with the flag `u`. Returns none if the pattern is invalid or no sample was found. */
export function generatePatternSamples(pattern: string): readonly string[] {
  try {
    const [first] = parsePattern(pattern).pattern.alternatives;
    const expression = new RegExp(pattern, 'u');
    const texts = characterOrders.map((order) => generateText(first, order));
    return [...new Set(texts)].filter((text) => text !== '' && expression.test(text));
  } catch {
    return [];
  }
}

function generateText(alternative: AST.Alternative | undefined, order: string): string {
  return (alternative?.elements ?? []).map((element) => generateElement(element, order)).join('');
}

function generateElement(element: AST.Element, order: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass': {
      const one = new RegExp(`^${element.raw}$`, 'u');
      return [...order, ...otherCharacters].find((sign) => one.test(sign)) ?? '';
    }
    case 'Group':
    case 'CapturingGroup':
      return generateText(element.alternatives[0], order);
    case 'Quantifier':
      return generateElement(element.element, order).repeat(Math.max(element.min, element.max > 0 ? 1 : 0));
    default:
      return ''; // assertions match no characters
  }
}

const slowCharacters = new Map<string, string | null>();

/**
 * Returns a character whose repetition makes a pattern with the flag `u` take polynomial or exponential time. Returns `null` if there is none, or the
 * pattern is invalid. Loads the static analysis on first use, because loading takes 0.2 s.
 */
export function findSlowPatternCharacter(pattern: string): string | null {
  const before = slowCharacters.get(pattern);
  if (before !== undefined) return before;
  const found = computeSlowCharacter(pattern);
  slowCharacters.set(pattern, found);
  return found;
}

function computeSlowCharacter(pattern: string): string | null {
  const { analyse } = require('scslre') as { analyse: typeof Analyse };
  try {
    const { reports } = analyse({ source: pattern, flags: 'u' });
    return (reports.find(({ exponential }) => exponential) ?? reports[0])?.character.pick ?? null;
  } catch {
    return null;
  }
}
