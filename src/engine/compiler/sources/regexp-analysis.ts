import { createRequire } from 'node:module';
import type * as Regexpp from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';
import type * as Analysis from 'regexp-ast-analysis';
import type { analyse as Analyse } from 'scslre';
import { groupBy } from '../../core/json.ts';

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

/** Characters of a class that a pattern accepts in a row, or a single literal character. */
interface PatternPart {
  /** Expression of the class. Absent for a literal character. */
  readonly characters?: string;
  readonly min: number;
  readonly max: number;
}

/**
 * Returns the numbers of characters that the parts of a pattern accept, separately and added up, with or without the literal characters between them.
 * `parts` has those of the parts that repeat. Returns `null` for a pattern with alternatives or without limits.
 */
export function countPatternParts(pattern: string): { readonly parts: Set<number>; readonly sums: Set<number> } | null {
  try {
    const all = listPatternParts(parsePattern(pattern).pattern.alternatives);
    const classes = all.filter(({ characters }) => characters !== undefined);
    const repeated = classes.filter(({ max }) => max > 1).flatMap(({ min, max }) => [min, max]);
    const groups = [...groupBy(classes, ({ characters = '' }) => characters).values()];
    const runs = [all, classes, ...groups].flatMap((list) =>
      list.flatMap((_, from) => list.map((__, length) => list.slice(from, from + length + 1))),
    );
    const sums = runs.flatMap((run) =>
      (['min', 'max'] as const).map((bound) => run.reduce((sum, part) => sum + part[bound], 0)),
    );
    return repeated.length === 0 ? null : { parts: new Set(repeated), sums: new Set(sums) };
  } catch {
    return null;
  }
}

/** Throws if the pattern has alternatives, lookarounds, references or repetitions without a limit. */
function listPatternParts(alternatives: readonly AST.Alternative[]): readonly PatternPart[] {
  const [alternative, ...others] = alternatives;
  if (!alternative || others.length > 0) throw new RangeError('The pattern has alternatives.');
  return alternative.elements.flatMap((element): readonly PatternPart[] => {
    switch (element.type) {
      case 'Character':
        return [{ min: 1, max: 1 }];
      case 'CharacterSet':
      case 'CharacterClass':
        return [{ characters: element.raw, min: 1, max: 1 }];
      case 'Group':
      case 'CapturingGroup':
        return listPatternParts(element.alternatives);
      case 'Quantifier': {
        const { min, max } = element;
        const inner = listPatternParts([{ ...alternative, elements: [element.element] }]);
        if (max === Infinity) throw new RangeError('The pattern has no limit.');
        return inner.map((part) => ({ ...part, min: part.min * min, max: part.max * max }));
      }
      case 'Assertion':
        if (element.kind === 'start' || element.kind === 'end') return [];
        throw new RangeError('The pattern looks around.');
      default:
        throw new RangeError('The pattern refers to itself.');
    }
  });
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
