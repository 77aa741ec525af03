import type { Logic, Template } from '../../core/definition.ts';
import { isObject, type Json } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';

/** The name of a value that rules read, e.g. `context.token`: a name with a dot. */
export const reading = /^[a-z]\w*(\.\w+)+$/i;

/** A template in which a text that names a value is that value: `"context.token"` for `{ "var": "context.token" }`. */
export function templateOf(written: Template): Template {
  if (typeof written === 'string') return reading.test(written) ? { var: written } : written;
  if (isLogic(written)) return written;
  if (Array.isArray(written)) return written.map((part: Json) => templateOf(part));
  return isObject(written) ? templatesOf(written as Readonly<Record<string, Template>>) : written;
}

/** Templates by name. */
export function templatesOf(written: Readonly<Record<string, Template>>): Record<string, Template> {
  return Object.fromEntries(Object.entries(written).map(([name, template]) => [name, templateOf(template)]));
}

/** Operators that ask nothing of their operands but whether they hold. */
const connectives = new Set(['and', 'or', '!', '!!']);

/** What a text stands for that names no value, and stands at a pointer. */
export type OfText = (text: string, at: string) => Logic;

/**
 * A guard in JSON-logic: the name of a value holds as the value does, and `{ "error.code": "in_use" }` where the value is that one, or one
 * of a list; all of several. So do the operands of `and`, `or` and `!`. Another text is never taken as it is: it would always hold.
 */
export function conditionOf(written: Logic, at: string, ofText: OfText): Logic {
  if (typeof written === 'string') return reading.test(written) ? { var: written } : ofText(written, at);
  if (!isObject(written)) return written;
  const parts = Object.entries(written as Readonly<Record<string, Json>>);
  const [[operator, operand] = ['', null]] = parts;
  if (parts.length === 1 && connectives.has(operator)) {
    const within = `${at}/${operator}`;
    return {
      [operator]: Array.isArray(operand)
        ? operand.map((one: Json, index) => conditionOf(one, `${within}/${index}`, ofText))
        : conditionOf(operand, within, ofText),
    };
  }
  if (parts.length === 0 || !parts.every(([name]) => reading.test(name))) return written;
  const [first, ...more] = parts.map(([name, value]): Logic => ({
    [Array.isArray(value) ? 'in' : '==']: [{ var: name }, value],
  }));
  return more.length === 0 ? (first ?? written) : { and: [first ?? written, ...more] };
}
