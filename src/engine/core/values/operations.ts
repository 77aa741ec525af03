/** JSON-logic operation whose result is `null` if an operand is absent. json-logic-js would read zero or the text "null". */
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

export const strictOperations: Readonly<Record<string, (...operands: unknown[]) => unknown>> = Object.fromEntries(
  Object.entries(classicOperations).map(([name, operation]) => [
    name,
    (...operands: unknown[]) => (operands.some(isAbsent) ? null : operation(...(operands as never[]))), // JavaScript converts them
  ]),
);

/** Whether an operand has no value. An empty text is a value. Forms never contain empty texts. */
export function isAbsent(operand: unknown): boolean {
  return operand === null || operand === undefined;
}

/** Whether a list contains a value, or a string contains a substring. An absent value is in no string: it is not converted to "null". */
export function isIn(value: unknown, whole: unknown): boolean {
  if (Array.isArray(whole)) return whole.includes(value) && !Number.isNaN(value);
  return typeof whole === 'string' && !isAbsent(value) && whole.includes(String(value));
}
