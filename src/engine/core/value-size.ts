import { splitFieldName, getFieldValue } from './field-path.ts';
import type { JsonObject, ValuesByName } from './json.ts';
import { isObject } from './json.ts';
import type { FieldFault } from './messages.ts';
import { isExactNumber } from './values/numbers.ts';
import { validatorRuntime } from './validator-runtime.ts';
import type { CompiledScreen } from './compiled-screen.ts';

/** Maximum length of an array without `maxItems`, because a list renders all fields of every item. */
export const defaultMaxItems = 100;

/** Checks type and size first, because other rules may be slow on large input. Returns `null` if there is no fault. */
export function findSizeFault(schema: JsonObject, value: unknown): FieldFault | null {
  if (!isOfType(schema.type, value)) return { keyword: 'type' };
  if (typeof value === 'string') return findLengthFault(schema.maxLength, value);
  const limit = typeof schema.maxItems === 'number' ? schema.maxItems : defaultMaxItems;
  return Array.isArray(value) && value.length > limit ? { keyword: 'maxItems', values: { limit } } : null;
}

export interface ValuesToCheck {
  readonly values: ValuesByName;
  /** Names of the excluded fields. A rule that reads an excluded field is skipped. */
  readonly excludedFields: readonly string[];
}

export function excludeUncheckableValues(
  { fields }: Pick<CompiledScreen, 'fields'>,
  form: ValuesByName,
): ValuesToCheck {
  const faulty = fields.filter(({ name, schema }) => {
    const value = getFieldValue(form, name);
    return value !== undefined && findSizeFault(schema, value) !== null;
  });
  const dropped = faulty.map(({ name }) => name);
  const values =
    dropped.length === 0 ? form : dropped.reduce((rest, name) => withoutField(rest, splitFieldName(name)), form);
  return { values, excludedFields: dropped };
}

function findLengthFault(limit: unknown, text: string): FieldFault | null {
  if (typeof limit !== 'number' || text.length <= limit) return null;
  const isLonger = text.length > 2 * limit || validatorRuntime.ucs2length(text) > limit;
  return isLonger ? { keyword: 'maxLength', values: { limit } } : null;
}

function isOfType(type: unknown, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isObject(value);
  if (type === 'integer') return Number.isSafeInteger(value);
  if (type === 'number') return typeof value === 'number' && isExactNumber(value);
  return type === 'string' || type === 'boolean' ? typeof value === type : true;
}

function withoutField(values: ValuesByName, [step = '', ...rest]: readonly string[]): ValuesByName {
  const inner = values[step];
  const others = Object.fromEntries(Object.entries(values).filter(([name]) => name !== step));
  return rest.length === 0 || !isObject(inner) ? others : { ...others, [step]: withoutField(inner, rest) };
}
