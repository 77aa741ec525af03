import type { Logic } from './definition.ts';
import { formWithEarlier } from './progress.ts';
import type { Values } from './json.ts';
import { evaluate } from './logic.ts';

/** Digits that a fraction keeps: 0.1 + 0.2 is 0.30000000000000004 to a computer. */
const digits = 15;

/** What a computed field is worth by the values that count and the facts; undefined where that is neither a number nor a text. */
export function computedValue(logic: Logic, form: Values, context: Values): unknown {
  const value = evaluate(logic, { ...context, form: formWithEarlier(form, context) });
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'number' || !Number.isFinite(value)) return undefined;
  return Number.isInteger(value) ? value : Number(value.toPrecision(digits));
}
