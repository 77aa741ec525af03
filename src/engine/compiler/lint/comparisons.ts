import { escapePointer } from '../../core/json-pointer.ts';
import { isObject, type Json } from '../../core/json.ts';
import { isLogic } from '../../core/logic.ts';
import { reading } from '../flow/short-forms.ts';

/** A value that a rule names by its path, and one that it is held against. */
export interface Comparison {
  readonly path: string;
  readonly value: Json;
  /** Where the value stands. */
  readonly pointer: string;
  /** A text is no number there. */
  readonly strict: boolean;
}

const equalities = ['==', '===', '!=', '!=='];

/** Every comparison of a named value with a written one in a file; `screen`: the name of the screen of the state that it stands in, if any. */
export function comparisonsIn(file: Json): readonly (Comparison & { readonly screen: string | undefined })[] {
  const found: (Comparison & { readonly screen: string | undefined })[] = [];
  const visit = (node: Json | undefined, pointer: string, around: { screen?: string; asks: boolean }): void => {
    if (Array.isArray(node)) return node.forEach((part: Json, index) => visit(part, `${pointer}/${index}`, around));
    if (!isObject(node)) return;
    const own = node as Readonly<Record<string, Json>>;
    const { screen = around.screen } = own as { screen?: string };
    found.push(...comparisonsAt(own, pointer, around.asks).map((one) => ({ ...one, screen })));
    for (const [key, part] of Object.entries(own))
      visit(part, `${pointer}/${escapePointer(key)}`, {
        ...(typeof screen === 'string' && { screen }),
        asks: around.asks || key === 'guard' || key === 'guards',
      });
  };
  visit(file, '', { asks: false });
  return found;
}

function comparisonsAt(node: Readonly<Record<string, Json>>, pointer: string, asks: boolean): readonly Comparison[] {
  if (isLogic(node)) {
    const [operator = '', operands] = Object.entries(node)[0] ?? [];
    if (!Array.isArray(operands)) return [];
    const list: readonly Json[] = operands;
    const strict = operator.length === 3;
    if (equalities.includes(operator))
      return list.flatMap((operand, index) => {
        const path = pathOf(list[1 - index]);
        return path === null || !isPlain(operand)
          ? []
          : [{ path, value: operand, pointer: `${pointer}/${operator}/${index}`, strict }];
      });
    const path = operator === 'in' ? pathOf(list[0]) : null;
    return path === null ? [] : among(path, list[1], `${pointer}/in/1`);
  }
  // the short form of guards: { "error.code": "in_use" }
  return Object.entries<Json>(node).flatMap(([path, value]) => {
    const at = `${pointer}/${escapePointer(path)}`;
    if (!asks || !reading.test(path)) return [];
    return isPlain(value) ? [{ path, value, pointer: at, strict: false }] : among(path, value, at);
  });
}

function among(path: string, values: Json | undefined, pointer: string): readonly Comparison[] {
  if (!Array.isArray(values)) return [];
  return (values as readonly Json[]).flatMap((value, index) =>
    isPlain(value) ? [{ path, value, pointer: `${pointer}/${index}`, strict: true }] : [],
  );
}

function pathOf(node: Json | undefined): string | null {
  if (!isLogic(node) || !('var' in node)) return null;
  const name = node['var'];
  return typeof name === 'string' ? name : null;
}

function isPlain(value: Json | undefined): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}
