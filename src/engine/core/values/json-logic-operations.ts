import { mapValues } from '../json.ts';

type Operation = (...operands: never[]) => unknown;

const sum = (a: unknown, b: unknown) => parseFloat(String(a)) + parseFloat(String(b));
const product = (a: unknown, b: unknown) => parseFloat(String(a)) * parseFloat(String(b));

const integer = (operand: unknown) => Math.trunc(Number(operand)) || 0;

const classicOperations: Readonly<Record<string, Operation>> = {
  '<': (a: number, b: number, c?: number) => (c === undefined ? a < b : a < b && b < c),
  '<=': (a: number, b: number, c?: number) => (c === undefined ? a <= b : a <= b && b <= c),
  '>': (a: number, b: number) => a > b,
  '>=': (a: number, b: number) => a >= b,
  '+': (...operands: unknown[]) => operands.reduce(sum, 0),
  '-': (a: number, b?: number) => (b === undefined ? -a : a - b),
  '*': (...operands: [unknown, ...unknown[]]) => operands.reduce(product),
  '/': (a: number, b: number) => a / b,
  '%': (a: number, b: number) => a % b,
  min: (...operands: number[]) => Math.min(...operands),
  max: (...operands: number[]) => Math.max(...operands),
  substr: (source: unknown, start: unknown, length?: unknown) => {
    const rest = String(source).slice(integer(start));
    // A negative length omits that many characters at the end, as in JSON-logic.
    return length === undefined ? rest : rest.slice(0, integer(length));
  },
};

/** Operations that return `null` if an operand is absent. In json-logic-js, an absent operand counts as zero or the text "null". */
export const nullPropagatingOperations: Readonly<Record<string, (...operands: unknown[]) => unknown>> = mapValues(
  classicOperations,
  (operation) =>
    (...operands: unknown[]) =>
      operands.some(isAbsentOperand) ? null : operation(...(operands as never[])), // cast: JavaScript converts operands of any type
);

/** Whether an operand is absent. An empty string is a value: forms store an empty input as `undefined`. */
export function isAbsentOperand(operand: unknown): boolean {
  return operand === null || operand === undefined;
}

/** Whether a list contains a value, or a text contains a substring. No text contains an absent value, which is not converted to "null". */
export function isContainedIn(value: unknown, whole: unknown): boolean {
  if (Array.isArray(whole)) return whole.includes(value) && !Number.isNaN(value);
  return typeof whole === 'string' && !isAbsentOperand(value) && whole.includes(String(value));
}
