import type { Logic } from '../../../engine/core/definition.ts';
import { isLogic } from '../../../engine/core/logic.ts';

/** One condition of the builder: a variable and what must hold of it. */
export interface Condition {
  /** E.g. `flags.ayuda`, `form.pais`, `context.next`. */
  readonly subject: string;
  readonly test: 'set' | 'unset' | 'is' | 'isNot';
  readonly value: string | number | boolean;
}

/** What values a subject has. */
export type ValueKind = 'boolean' | 'number' | 'text';

/** A value as one of another kind: what is no number as numbers are written, e.g. one half typed, stays a text. */
export function valueOfKind(value: Condition['value'], kind: ValueKind): Condition['value'] {
  if (kind === 'boolean') return typeof value === 'boolean' ? value : value !== 'false';
  const text = String(value);
  return kind === 'number' && String(Number(text)) === text ? Number(text) : text;
}

/** What the builder can say: some conditions, all of which or one of which must hold. */
export interface Conditions {
  readonly join: 'and' | 'or';
  readonly list: readonly Condition[];
}

/** The rule of some conditions; `undefined` for an empty list. */
export function logicOf({ join, list }: Conditions): Logic | undefined {
  const rules = list.map(({ subject, test, value }): Logic => {
    const own = { var: subject };
    if (test === 'set') return own;
    if (test === 'unset') return { '!': own };
    return { [test === 'is' ? '==' : '!=']: [own, value] };
  });
  return rules.length > 1 ? { [join]: rules } : rules[0];
}

/** The conditions of a rule; null of one that the builder cannot say. */
export function conditionsOf(logic: Logic | undefined): Conditions | null {
  if (logic === undefined) return { join: 'and', list: [] };
  const [operator, operand] = only(logic);
  const isJoin = operator === 'and' || operator === 'or';
  const parts = isJoin && Array.isArray(operand) ? (operand as readonly Logic[]) : [logic];
  const list = parts.map(conditionOf);
  if (list.length === 0) return null; // it never holds, and no condition always does
  return list.every((one) => one !== null) ? { join: operator === 'or' ? 'or' : 'and', list } : null;
}

function conditionOf(logic: Logic): Condition | null {
  const [operator, operand] = only(logic);
  if (operator === 'var' && typeof operand === 'string') return { subject: operand, test: 'set', value: '' };
  const [first, second, third] = (Array.isArray(operand) ? operand : [operand]) as readonly (Logic | undefined)[];
  const [inner, subject] = only(first ?? null);
  if (inner !== 'var' || typeof subject !== 'string') return null;
  if (operator === '!') return { subject, test: 'unset', value: '' };
  if (third !== undefined) return null;
  if (typeof second !== 'string' && typeof second !== 'number' && typeof second !== 'boolean') return null;
  if (operator === '==') return { subject, test: 'is', value: second };
  return operator === '!=' ? { subject, test: 'isNot', value: second } : null;
}

function only(logic: Logic): readonly [operator: string, operand: Logic] {
  const [entry] = isLogic(logic) ? Object.entries(logic) : [];
  return entry ?? ['', null];
}

/** Every case of the conditions, and whether the rule holds in it: the first differ slowest. */
export function casesOf({ join, list }: Conditions): readonly { holds: readonly boolean[]; shown: boolean }[] {
  return Array.from({ length: 2 ** list.length }, (_, number) => {
    const holds = list.map((_condition, index) => (number >> (list.length - 1 - index)) % 2 === 0);
    return { holds, shown: join === 'and' ? holds.every(Boolean) : holds.some(Boolean) };
  });
}
