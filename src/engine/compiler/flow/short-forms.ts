import type { Logic, Template } from '../../core/definition.ts';
import { isObject, type Json } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';

/** Syntax of the name of a value, e.g. `context.token`: a name with a dot. */
export const reading = /^[a-z]\w*(\.\w+)+$/i;

/** Expands names of values in a template: `"context.token"` becomes `{ "var": "context.token" }`. */
export function expandTemplate(written: Template): Template {
  if (typeof written === 'string') return reading.test(written) ? { var: written } : written;
  if (isLogic(written)) return written;
  if (Array.isArray(written)) return written.map((part: Json) => expandTemplate(part));
  return isObject(written) ? expandTemplates(written as Readonly<Record<string, Template>>) : written;
}

export function expandTemplates(written: Readonly<Record<string, Template>>): Record<string, Template> {
  return Object.fromEntries(Object.entries(written).map(([name, template]) => [name, expandTemplate(template)]));
}

/** Operators whose operands are conditions. */
const connectives = new Set(['and', 'or', '!', '!!']);

/**
 * Expands a guard to JSON-logic. The name of a value becomes `var`. `{ "error.code": "in_use" }` becomes a comparison, or a list test if the value is
 * a list, and several keys are joined by `and`. Operands of `and`, `or` and `!` are expanded too. Other texts are never kept as literals, which would
 * always be true.
 */
export function expandCondition(written: Logic, at: string, ofText: (text: string, at: string) => Logic): Logic {
  if (typeof written === 'string') return reading.test(written) ? { var: written } : ofText(written, at);
  if (!isObject(written)) return written;
  const parts = Object.entries(written as Readonly<Record<string, Json>>);
  const [[operator, operand] = ['', null]] = parts;
  if (parts.length === 1 && connectives.has(operator)) {
    const within = `${at}/${operator}`;
    return {
      [operator]: Array.isArray(operand)
        ? operand.map((one: Json, index) => expandCondition(one, `${within}/${index}`, ofText))
        : expandCondition(operand, within, ofText),
    };
  }
  if (parts.length === 0 || !parts.every(([name]) => reading.test(name))) return written;
  const [first, ...more] = parts.map(([name, value]): Logic => ({
    [Array.isArray(value) ? 'in' : '==']: [{ var: name }, value],
  }));
  return more.length === 0 ? (first ?? written) : { and: [first ?? written, ...more] };
}
