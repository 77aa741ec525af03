import { createRequire } from 'node:module';
import type * as Regexpp from '@eslint-community/regexpp';
import type { AST } from '@eslint-community/regexpp';

const require = createRequire(import.meta.url);

/** Preferred characters for a class. Each order produces another text. */
const orders = ['a0 -.@', 'A0 -.@', '0aA -.@', '1-aA@'] as const;
const rest = String.raw`_/:,+'"()[]{}!#$%&*;<=>?\^|~ñé`;

/** Returns a few texts that match a regular expression (flag `u`). Empty if it is invalid, or no text was found. */
export function samplesOf(pattern: string): readonly string[] {
  const { RegExpParser } = require('@eslint-community/regexpp') as typeof Regexpp; // loaded on first use, as in `slowSign`
  try {
    const ast = new RegExpParser().parseLiteral(`/${pattern.replaceAll('/', String.raw`\/`)}/u`);
    const expression = new RegExp(pattern, 'u');
    const texts = orders.map((order) => textOf(ast.pattern.alternatives[0], order));
    return [...new Set(texts)].filter((text) => text !== '' && expression.test(text));
  } catch {
    return [];
  }
}

function textOf(alternative: AST.Alternative | undefined, order: string): string {
  return (alternative?.elements ?? []).map((element) => partOf(element, order)).join('');
}

function partOf(element: AST.Element, order: string): string {
  switch (element.type) {
    case 'Character':
      return String.fromCodePoint(element.value);
    case 'CharacterSet':
    case 'CharacterClass': {
      const one = new RegExp(`^${element.raw}$`, 'u');
      return [...order, ...rest].find((sign) => one.test(sign)) ?? '';
    }
    case 'Group':
    case 'CapturingGroup':
      return textOf(element.alternatives[0], order);
    case 'Quantifier':
      return partOf(element.element, order).repeat(Math.max(element.min, element.max > 0 ? 1 : 0));
    default:
      return ''; // assertions have no length
  }
}
