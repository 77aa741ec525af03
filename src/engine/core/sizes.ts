import { stepsOfName, valueAt } from './field-path.ts';
import type { JsonObject, Values } from './json.ts';
import { isObject } from './json.ts';
import type { Fault } from './messages.ts';
import { isExact } from './values/numbers.ts';
import { runtime } from './runtime.ts';
import type { ScreenData } from './screen.ts';

/** Most items of an array: of a list, which draws each with all its fields, and of a choice of several that says nothing. */
export const mostItems = 100;

/**
 * The fault of a value of another type than its schema's, or of more characters or items; null where there is none. Such a value is looked at by
 * nothing else: the other keywords and the rules of plugins may cost more with every character.
 */
export function sizeFault(schema: JsonObject, value: unknown): Fault | null {
  if (!isOfType(schema.type, value)) return { keyword: 'type' };
  if (typeof value === 'string') return longerThan(schema.maxLength, value);
  const limit = typeof schema.maxItems === 'number' ? schema.maxItems : mostItems;
  return Array.isArray(value) && value.length > limit ? { keyword: 'maxItems', values: { limit } } : null;
}

/** What of a form rules may look at. */
export interface SoundForm {
  readonly values: Values;
  /** The fields that are left out: no rule that reads one of them is asked. */
  readonly without: readonly string[];
}

/** A form without the values of another type or size than their schemas say. */
export function soundForm({ fields }: Pick<ScreenData, 'fields'>, form: Values): SoundForm {
  const faulty = fields.filter(({ name, schema }) => {
    const value = valueAt(form, name);
    return value !== undefined && sizeFault(schema, value) !== null;
  });
  const without = faulty.map(({ name }) => name);
  const values =
    without.length === 0 ? form : without.reduce((rest, name) => withoutField(rest, stepsOfName(name)), form);
  return { values, without };
}

function longerThan(limit: unknown, text: string): Fault | null {
  if (typeof limit !== 'number' || text.length <= limit) return null;
  const isLonger = text.length > 2 * limit || runtime.ucs2length(text) > limit;
  return isLonger ? { keyword: 'maxLength', values: { limit } } : null;
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && isExact(value);
  return type === 'string' || type === 'boolean' ? typeof value === type : true;
}

function withoutField(values: Values, [step = '', ...rest]: readonly string[]): Values {
  const inner = values[step];
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => name !== step));
  return rest.length === 0 || !isObject(inner) ? others : { ...others, [step]: withoutField(inner, rest) };
}
