import { escapePointer } from '../engine/core/json-pointer.ts';
import type { JsonLogic } from '../engine/core/flow-and-screen-types.ts';
import { isJsonLogicOperation } from '../engine/core/json-logic.ts';
import { asObject, type Json } from '../engine/core/json.ts';

export function asListOrEmpty(value: unknown): readonly Json[] {
  return Array.isArray(value) ? (value as readonly Json[]) : [];
}

export function asTextOrEmpty(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function listJsonChildren(
  value: Json | undefined,
  at: string,
): readonly (readonly [key: string, part: Json, pointer: string])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([key, part]) => [key, part, `${at}/${escapePointer(key)}`]);
}

export function parseJsonOrUndefined(text: string): Json | undefined {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, '')) as Json;
  } catch {
    return undefined;
  }
}

/** Splits a rule into its operator and its operands. The operator of a constant is empty. */
export function splitLogicOperation(logic: JsonLogic): readonly [operator: string, operands: readonly JsonLogic[]] {
  const [[operator, operand] = ['', null]] = isJsonLogicOperation(logic) ? Object.entries(logic) : [];
  return [operator, Array.isArray(operand) ? (operand as readonly JsonLogic[]) : [operand]];
}

export function findEventLabel(part: unknown, event: string): string | undefined {
  if (Array.isArray(part))
    return asListOrEmpty(part)
      .map((item) => findEventLabel(item, event))
      .find((text) => text !== undefined);
  const { event: own, text, ...others } = asObject(part);
  return own === event && typeof text === 'string'
    ? text
    : Object.values(others)
        .map((other) => findEventLabel(other, event))
        .find((found) => found !== undefined);
}
