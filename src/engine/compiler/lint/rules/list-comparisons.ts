import { type Json, type JsonObject, isObject } from '../../../core/json.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import { findVariablePath, isJsonLogicOperation } from '../../../core/json-logic.ts';
import { variablePathPattern } from '../../flow/unexpanded-flow-types.ts';

interface Comparison {
  readonly path: string;
  readonly value: Json;
  readonly pointer: string;
  /** Whether the operator is `===` or `!==`, which never convert between texts and numbers. */
  readonly strict: boolean;
  /** Whether the operator is `<`, `<=`, `>` or `>=`. */
  readonly isOrder?: true;
}

const equalities = ['==', '===', '!=', '!=='];
const orders = ['<', '<=', '>', '>='];

export interface PlacedComparison extends Comparison {
  /** Screen of the enclosing state, if any. */
  readonly screen: string | undefined;
}

/** Returns every comparison of a variable with a literal in a file. */
export function listComparisons(file: Json): readonly PlacedComparison[] {
  const found: PlacedComparison[] = [];
  const visit = (node: Json | undefined, pointer: string, around: { screen?: string; asks: boolean }): void => {
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`, around));
    if (!isObject(node)) return;
    const own = node as Readonly<Record<string, Json>>;
    const { screen = around.screen } = own as { screen?: string };
    found.push(...listNodeComparisons(own, pointer, around.asks).map((one) => ({ ...one, screen })));
    found.push(...listIfComparisons(own['if'], `${pointer}/if`).map((one) => ({ ...one, screen })));
    for (const [key, part] of Object.entries(own))
      visit(part, `${pointer}/${escapePointer(key)}`, {
        ...(typeof screen === 'string' && { screen }),
        asks: around.asks || key === 'guard' || key === 'guards',
      });
  };
  visit(file, '', { asks: false });
  return found;
}

function listNodeComparisons(
  node: Readonly<Record<string, Json>>,
  pointer: string,
  asks: boolean,
): readonly Comparison[] {
  if (isJsonLogicOperation(node)) {
    const [operator = '', operands] = Object.entries(node)[0] ?? [];
    if (!Array.isArray(operands)) return [];
    const list: readonly Json[] = operands;
    const strict = operator.length === 3;
    const isOrder = orders.includes(operator);
    if (isOrder || equalities.includes(operator))
      return list.flatMap((operand, index) => {
        const path = findVariablePath(list[index === 0 ? 1 : 0]);
        return path === null || !isLiteral(operand)
          ? []
          : [{ path, value: operand, pointer: `${pointer}/${operator}/${index}`, strict, ...(isOrder && { isOrder }) }];
      });
    const path = operator === 'in' ? findVariablePath(list[0]) : null;
    return path === null ? [] : listMembershipComparisons(path, list[1], `${pointer}/in/1`);
  }
  // short form in guards: { "error.code": "in_use" }
  return Object.entries<Json>(node).flatMap(([path, value]) => {
    const at = `${pointer}/${escapePointer(path)}`;
    if (!asks || !variablePathPattern.test(path)) return [];
    return isLiteral(value)
      ? [{ path, value, pointer: at, strict: false }]
      : listMembershipComparisons(path, value, at);
  });
}

function listMembershipComparisons(path: string, values: Json | undefined, pointer: string): readonly Comparison[] {
  const list = Array.isArray(values) ? (values as readonly Json[]) : [];
  return list.flatMap((value, index) =>
    isLiteral(value) ? [{ path, value, pointer: `${pointer}/${index}`, strict: true }] : [],
  );
}

/** Returns the comparisons of an `if` of JSON Schema: the `const` and `enum` of its properties. */
function listIfComparisons(node: Json | undefined, at: string, path = 'form'): readonly Comparison[] {
  const properties = isObject(node) ? node['properties'] : undefined;
  if (!isObject(properties)) return [];
  return Object.entries(properties as JsonObject).flatMap(([name, property]) => {
    if (!isObject(property)) return [];
    const [own, pointer] = [`${path}.${name}`, `${at}/properties/${escapePointer(name)}`];
    const { const: only, enum: several } = property as JsonObject;
    return [
      ...(isLiteral(only) ? [{ path: own, value: only, pointer: `${pointer}/const`, strict: true }] : []),
      ...listMembershipComparisons(own, several, `${pointer}/enum`),
      ...listIfComparisons(property, pointer, own),
    ];
  });
}

function isLiteral(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
