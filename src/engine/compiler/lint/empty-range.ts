import { isObject, type Json } from '../../core/json.ts';

/** What a rule asks of a number. */
interface Range {
  readonly low: number;
  readonly high: number;
}

const any: Range = { low: -Infinity, high: Infinity };
/** So much above or below, as far as `<` and `<=` are distinguished. */
const step = 1e-9;

/** Whether a rule asks a value to be above one number and below a smaller one, so that it never holds. */
export function hasEmptyRange(rule: Json | undefined): boolean {
  const ranges = new Map<string, Range>();
  for (const [path, { low, high }] of bounds(rule)) {
    const known = ranges.get(path) ?? any;
    ranges.set(path, { low: Math.max(known.low, low), high: Math.min(known.high, high) });
  }
  return [...ranges.values()].some(({ low, high }) => low > high);
}

/** What must hold of each value wherever the rule does. */
function bounds(rule: Json | undefined): readonly (readonly [path: string, range: Range])[] {
  if (!isObject(rule)) return [];
  const [operator = '', operands] = Object.entries(rule as Record<string, Json>)[0] ?? [];
  if (!Array.isArray(operands)) return [];
  const all: readonly Json[] = operands;
  if (operator === 'and') return all.flatMap(bounds);
  const isAbove = operator === '>' || operator === '>=';
  if (!isAbove && operator !== '<' && operator !== '<=') return [];
  const inOrder = isAbove ? [...all].reverse() : all; // a < b < c
  const gap = operator.length === 1 ? step : 0;
  return inOrder.slice(1).flatMap((right, index) => {
    const left = inOrder[index];
    const [leftPath, rightPath] = [pathOf(left), pathOf(right)];
    if (typeof left === 'number' && rightPath !== null) return [[rightPath, { ...any, low: left + gap }] as const];
    if (typeof right === 'number' && leftPath !== null) return [[leftPath, { ...any, high: right - gap }] as const];
    return [];
  });
}

function pathOf(node: Json | undefined): string | null {
  return isObject(node) && typeof node['var'] === 'string' ? node['var'] : null;
}
