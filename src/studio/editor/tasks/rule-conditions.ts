import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import { splitLogicOperation } from '../../json-values.ts';

export type ConditionValue = string | number | boolean | null;

const comparisons = ['==', '!=', '>', '>=', '<', '<='] as const;
const strictComparisons = ['===', '!=='] as const;
const memberships = ['in', 'notIn', 'contains', 'lacks'] as const;
export const conditionOperators = ['set', 'unset', ...comparisons, ...memberships, ...strictComparisons] as const;
type ConditionOperator = (typeof conditionOperators)[number];

export interface RuleCondition {
  /** Path of the compared value, for example `flags.ayuda`, `form.pais`, `context.next`. */
  readonly subject: string;
  readonly operator: ConditionOperator;
  /** Value or variable to compare with. For `in` and `notIn`, a list of values. */
  readonly value: ConditionValue | { readonly var: string } | readonly ConditionValue[];
}

/** Join operators of a group: all conditions are true, at least one is, not all are, or none is. */
export const conditionJoinOperators = ['and', 'or', 'nand', 'nor'] as const;

export interface RuleConditionGroup {
  readonly join: (typeof conditionJoinOperators)[number];
  readonly list: readonly (RuleCondition | RuleConditionGroup)[];
}

export interface ConditionSubjectKind {
  readonly kind: 'boolean' | 'number' | 'text';
  readonly choices?: readonly (readonly [value: ConditionValue, label: string])[];
  readonly hasSeveral?: boolean;
}

export interface ConditionSubjects {
  readonly list: readonly (readonly [path: string, text: string])[];
  readonly kinds: Readonly<Record<string, ConditionSubjectKind>>;
  /** Whether conditions compare only with constants, because they are converted to a JSON Schema. */
  readonly isConstant?: boolean;
}

export function listConditionOperators(
  { kinds, isConstant = false }: ConditionSubjects,
  subject: string,
): readonly ConditionOperator[] {
  if (!isConstant) return conditionOperators;
  const { kind, hasSeveral = false } = kinds[subject] ?? { kind: 'text' };
  if (hasSeveral) return ['set', 'unset', 'contains', 'lacks'];
  const ordered: readonly ConditionOperator[] = kind === 'number' ? ['>', '>=', '<', '<='] : [];
  return ['set', 'unset', '==', '!=', ...ordered, 'in', 'notIn'];
}

export function isRuleConditionGroup(part: RuleCondition | RuleConditionGroup): part is RuleConditionGroup {
  return 'join' in part;
}

/** Converts a value to another type. A text that is not yet a complete number remains a text. */
export function convertConditionValue(value: ConditionValue, kind: ConditionSubjectKind['kind']): ConditionValue {
  if (kind === 'boolean') return typeof value === 'boolean' ? value : value !== 'false';
  const text = String(value ?? '');
  return kind === 'number' && String(Number(text)) === text ? Number(text) : text;
}

export function buildConditionGroupLogic({ join, list }: RuleConditionGroup): JsonLogic | undefined {
  const rules = list.flatMap((part) => {
    const rule = isRuleConditionGroup(part) ? buildConditionGroupLogic(part) : buildConditionLogic(part);
    return rule === undefined ? [] : [rule];
  });
  const joined = join === 'and' || join === 'nand' ? 'and' : 'or';
  const rule = rules.length > 1 ? { [joined]: rules } : rules[0];
  return rule === undefined || join === joined ? rule : { '!': rule };
}

function buildConditionLogic({ subject, operator, value }: RuleCondition): JsonLogic {
  const own = { var: subject };
  if (operator === 'set') return own;
  if (operator === 'unset') return { '!': own };
  if (operator === 'in') return { in: [own, value] };
  if (operator === 'notIn') return { '!': { in: [own, value] } };
  if (operator === 'contains') return { in: [value, own] };
  return operator === 'lacks' ? { '!': { in: [value, own] } } : { [operator]: [own, value] };
}

/** Parses a rule as a group of conditions. Returns `null` if the form cannot represent the rule. */
export function parseRuleConditions(logic: JsonLogic | undefined): RuleConditionGroup | null {
  if (logic === undefined) return { join: 'and', list: [] };
  const part = parsePart(logic);
  return part === null || isRuleConditionGroup(part) ? part : { join: 'and', list: [part] };
}

function parsePart(logic: JsonLogic): RuleCondition | RuleConditionGroup | null {
  const [operator, operands] = splitLogicOperation(logic);
  const [first = null, second] = operands;
  if (operator === 'and' || operator === 'or') {
    const list = operands.map(parsePart);
    // Returns `null` for an empty `and` or `or`, which is always false, because a group without conditions is always
    // true.
    return list.length > 0 && list.every((part) => part !== null) ? { join: operator, list } : null;
  }
  if (operator === 'var' || operator === '!!') {
    const subject = findVariable(operator === 'var' ? logic : first);
    return subject === null ? null : { subject, operator: 'set', value: '' };
  }
  if (operator === '!') return parseNegation(first);
  return operands.length === 2 ? parseComparison(operator, first, second ?? null) : null;
}

function parseNegation(logic: JsonLogic): RuleCondition | RuleConditionGroup | null {
  const part = parsePart(logic);
  if (part === null) return null;
  if (isRuleConditionGroup(part)) {
    if (part.join === 'and' || part.join === 'or') return { ...part, join: part.join === 'and' ? 'nand' : 'nor' };
    return { join: 'nor', list: [part] };
  }
  const opposite = { set: 'unset', in: 'notIn', contains: 'lacks' } as const;
  const { operator } = part;
  return operator === 'set' || operator === 'in' || operator === 'contains'
    ? { ...part, operator: opposite[operator] }
    : { join: 'nor', list: [part] };
}

function parseComparison(operator: string, first: JsonLogic, second: JsonLogic): RuleCondition | null {
  const subject = findVariable(first);
  if (operator === 'in' && subject === null) {
    const within = findVariable(second);
    return within !== null && isValue(first) ? { subject: within, operator: 'contains', value: first } : null;
  }
  if (subject === null) return null;
  if (operator === 'in')
    return Array.isArray(second) && (second as readonly JsonLogic[]).every(isValue)
      ? { subject, operator: 'in', value: second as readonly ConditionValue[] }
      : null;
  const test = [...comparisons, ...strictComparisons].find((known) => known === operator);
  if (!test) return null;
  if (isValue(second)) return { subject, operator: test, value: second };
  const other = findVariable(second);
  return other === null ? null : { subject, operator: test, value: { var: other } };
}

function isValue(logic: JsonLogic): logic is ConditionValue {
  return logic === null || ['string', 'number', 'boolean'].includes(typeof logic);
}

function findVariable(logic: JsonLogic): string | null {
  const [operator, operands] = splitLogicOperation(logic);
  const [name] = operands;
  return operator === 'var' && operands.length === 1 && typeof name === 'string' ? name : null;
}

export function flattenConditionGroup({ list }: RuleConditionGroup): readonly RuleCondition[] {
  return list.flatMap((part) => (isRuleConditionGroup(part) ? flattenConditionGroup(part) : [part]));
}

/** Returns the truth table of a group's conditions. The first condition varies slowest. */
export function buildTruthTable(group: RuleConditionGroup): readonly { holds: readonly boolean[]; shown: boolean }[] {
  const count = flattenConditionGroup(group).length;
  return Array.from({ length: 2 ** count }, (_, number) => {
    const holds = Array.from({ length: count }, (_leaf, index) => (number >> (count - 1 - index)) % 2 === 0);
    return { holds, shown: evaluateGroup(group, holds.values()) };
  });
}

/** Evaluates a group of conditions. `left` yields the results of the conditions in order. */
function evaluateGroup({ join, list }: RuleConditionGroup, left: Iterator<boolean>): boolean {
  const parts = list.map((part) =>
    isRuleConditionGroup(part) ? evaluateGroup(part, left) : left.next().value === true,
  );
  const isHeld = join === 'and' || join === 'nand' ? parts.every(Boolean) : parts.some(Boolean);
  return join === 'nand' || join === 'nor' ? !isHeld : isHeld;
}

/** Converts the value to the type of a changed subject, and to a list if the changed operator needs one. */
export function createInitialConditionValue(
  next: RuleCondition,
  before: RuleCondition,
  kind: ConditionSubjectKind | undefined,
): RuleCondition['value'] {
  const { operator, value, subject } = next;
  const [first = ''] = isConditionValueList(value) ? value : [value];
  const needsList = operator === 'in' || operator === 'notIn';
  const isSame = subject === before.subject && needsList === isConditionValueList(value) && value !== '';
  if (isSame || (isVariableReference(first) && !needsList)) return value;
  const one = isVariableReference(first) ? '' : first;
  const known = kind?.choices?.some(([own]) => own === one) ? one : kind?.choices?.[0]?.[0];
  const own = known ?? convertConditionValue(one, kind?.kind ?? inferConditionValueKind(one));
  if (!needsList) return own;
  return one === '' && known === undefined ? [] : [own];
}

export function isConditionValueList(value: RuleCondition['value']): value is readonly ConditionValue[] {
  return Array.isArray(value);
}

export function isVariableReference(value: RuleCondition['value']): value is { readonly var: string } {
  return typeof value === 'object' && value !== null && !isConditionValueList(value);
}

export function inferConditionValueKind(value: ConditionValue): ConditionSubjectKind['kind'] {
  return typeof value === 'number' ? 'number' : typeof value === 'boolean' ? 'boolean' : 'text';
}
