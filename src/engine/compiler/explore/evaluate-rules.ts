import type { JsonLogic, StateDefinition, LogicTemplate } from '../../core/flow-and-screen-types.ts';
import { isObject, type Json } from '../../core/json.ts';
import { evaluateJsonLogic, isJsonLogicOperation } from '../../core/json-logic.ts';
import { anyoneAccess } from '../../core/definitions-manifest.ts';
import type { FlowExplorationOptions } from './state-space.ts';
import {
  isTruthyJson,
  createUnknownValue,
  type UndecidedTest,
  type AbstractValue,
  type AbstractAssignment,
} from './abstract-assignment.ts';
import type { ValueShape } from './value-shapes.ts';

export interface GuardOutcome {
  readonly holds: boolean;
  readonly assignment: AbstractAssignment;
}

/** Returns the possible results of a guard. Returns none if the guard depends on an undecided test that `canAsk` excludes. */
export function listGuardOutcomes(
  rule: JsonLogic | undefined,
  assignment: AbstractAssignment,
  canAsk: (question: UndecidedTest) => boolean = () => true,
): readonly GuardOutcome[] {
  const verdict = evaluateRuleAbstractly(rule, assignment);
  if (typeof verdict === 'boolean') return [{ holds: verdict, assignment }];
  return (canAsk(verdict) ? [true, false] : []).flatMap((answer) => {
    const next = assignment.assumeTestResult(verdict, answer);
    return next ? listGuardOutcomes(rule, next, canAsk) : [];
  });
}

/** Adds the facts that the state's access level implies. Returns `null` if one contradicts the assignment, or if one is undecided and `canAsk` rejects it. */
export function assumeAccessFacts(
  { path, access = anyoneAccess }: StateDefinition,
  { factsByAccess }: FlowExplorationOptions,
  assignment: AbstractAssignment,
  canAsk: (fact: string) => boolean = () => true,
): AbstractAssignment | null {
  const facts = Object.entries((path && factsByAccess?.[access]) || {});
  return facts.reduce<AbstractAssignment | null>((now, [fact, truth]) => {
    const found = now?.isTruthy(now.findValueAt(fact));
    if (typeof found === 'object') return canAsk(fact) ? (now?.assumeTestResult(found, truth) ?? null) : null;
    return found === truth ? now : null;
  }, assignment);
}

export function isValuePathBelow(path: string, roots: readonly string[]): boolean {
  return roots.some((root) => path === root || path.startsWith(`${root}.`));
}

/** Whether a rule is true in an assignment. Returns the first undecided test if the result is not determined. A missing rule is true. */
export function evaluateRuleAbstractly(
  rule: JsonLogic | undefined,
  assignment: AbstractAssignment,
): boolean | UndecidedTest {
  if (rule === undefined) return true;
  if (!isJsonLogicOperation(rule)) return isObject(rule) ? true : isTruthyJson(rule);
  const [operator = '', operands] = splitOperation(rule);
  const [first = null, second = null] = operands;
  switch (operator) {
    case 'var':
      return assignment.isTruthy(evaluateTemplateAbstractly(rule, assignment));
    case '!':
      return negateDecision(evaluateRuleAbstractly(first, assignment));
    case '!!':
      return evaluateRuleAbstractly(first, assignment);
    case 'and':
      return decideAll(operands, assignment, true);
    case 'or':
      return negateDecision(decideAll(operands, assignment, false));
    case 'if':
    case '?:':
      return decideIf(operands, assignment);
    case '==':
    case '===':
      return decideEquality(first, second, assignment) ?? decideAsValue(rule, assignment);
    case '!=':
    case '!==':
      return negateDecision(decideEquality(first, second, assignment) ?? decideAsValue(rule, assignment));
    case 'in':
      return (
        decideMembership(
          evaluateTemplateAbstractly(first, assignment),
          evaluateTemplateAbstractly(second, assignment),
          assignment,
        ) ?? decideAsValue(rule, assignment)
      );
    default: {
      const value = evaluateTemplateAbstractly(rule, assignment);
      return 'constant' in value ? isTruthyJson(value.constant) : decideAsValue(rule, assignment);
    }
  }
}

export function evaluateTemplateAbstractly(template: LogicTemplate, assignment: AbstractAssignment): AbstractValue {
  const open = (shape?: ValueShape) => createUnknownValue(`rule:${createTemplateKey(template, assignment)}`, shape);
  if (!isJsonLogicOperation(template)) {
    const parts = isObject(template) ? Object.values(template as Record<string, Json>) : [template].flat();
    const isPlain = parts.every(
      (part) => part === template || 'constant' in evaluateTemplateAbstractly(part, assignment),
    );
    return isPlain && !containsLogic(template) ? { constant: template } : open();
  }
  const [operator = '', operands] = splitOperation(template);
  const [first = null, ...rest] = operands;
  if (operator === 'var') {
    const found = assignment.findValueAt(String(first ?? ''));
    return rest[0] !== undefined && 'unknown' in found ? open() : found;
  }
  if (operator === 'missing' || operator === 'missing_some') return open(); // these read variables by name, so their constant operands do not decide them
  if (['or', 'and', 'if', '?:'].includes(operator)) {
    const verdict = evaluateRuleAbstractly(first, assignment);
    if (typeof verdict === 'boolean') {
      const isFirst = rest.length === 0 || (operator === 'or' && verdict) || (operator === 'and' && !verdict);
      if (isFirst) return evaluateTemplateAbstractly(first, assignment);
      if (operator === 'or' || operator === 'and') return evaluateTemplateAbstractly({ [operator]: rest }, assignment);
      const [then = null, ...otherwise] = rest;
      if (verdict) return evaluateTemplateAbstractly(then, assignment);
      return evaluateTemplateAbstractly(
        otherwise.length === 1 ? (otherwise[0] ?? null) : { if: otherwise },
        assignment,
      );
    }
  }
  if (['!', '!!', '==', '!=', '===', '!==', 'in'].includes(operator)) {
    const verdict = evaluateRuleAbstractly(template, assignment);
    if (typeof verdict === 'boolean') return { constant: verdict };
    return open({ schema: { type: 'boolean' }, optional: false });
  }
  const constants = operands
    .map((operand) => evaluateTemplateAbstractly(operand, assignment))
    .flatMap((value) => ('constant' in value && !isObject(value.constant) ? [value.constant] : []));
  if (constants.length < operands.length) return open();
  return { constant: (evaluateJsonLogic({ [operator]: constants }, {}) as Json | undefined) ?? null }; // cast: JSON-logic on JSON returns JSON
}

function splitOperation(rule: { readonly [operator: string]: Json }): readonly [string, readonly Json[]] {
  const [operator = '', operand = null] = Object.entries(rule)[0] ?? [];
  return [operator, Array.isArray(operand) ? (operand as readonly Json[]) : [operand]];
}

function negateDecision(verdict: boolean | UndecidedTest): boolean | UndecidedTest {
  return typeof verdict === 'boolean' ? !verdict : verdict;
}

// Whether every operand has the result `wanted`. If one operand has the opposite result, returns `false`, even if an earlier operand is undecided.
function decideAll(
  operands: readonly Json[],
  assignment: AbstractAssignment,
  wanted: boolean,
): boolean | UndecidedTest {
  const verdicts = operands.map((operand) => evaluateRuleAbstractly(operand, assignment));
  if (verdicts.some((verdict) => verdict === !wanted)) return false;
  return verdicts.find((verdict) => typeof verdict !== 'boolean') ?? true;
}

function decideIf(operands: readonly Json[], assignment: AbstractAssignment): boolean | UndecidedTest {
  const [condition = null, then = null, ...otherwise] = operands;
  if (operands.length <= 1) return evaluateRuleAbstractly(condition, assignment);
  const verdict = evaluateRuleAbstractly(condition, assignment);
  if (typeof verdict !== 'boolean') return verdict;
  return verdict
    ? evaluateRuleAbstractly(then, assignment)
    : decideIf(otherwise.length > 0 ? otherwise : [null], assignment);
}

function decideEquality(
  first: Json,
  second: Json,
  assignment: AbstractAssignment,
): boolean | UndecidedTest | undefined {
  const [a, b] = [evaluateTemplateAbstractly(first, assignment), evaluateTemplateAbstractly(second, assignment)];
  if ('constant' in b) return assignment.equals(a, b.constant);
  if ('constant' in a) return assignment.equals(b, a.constant);
  return a.unknown === b.unknown ? true : undefined;
}

function decideMembership(
  value: AbstractValue,
  list: AbstractValue,
  assignment: AbstractAssignment,
): boolean | UndecidedTest | undefined {
  if (!('constant' in list) || !Array.isArray(list.constant)) return undefined;
  const verdicts = (list.constant as readonly Json[]).map((item) => assignment.equals(value, item));
  if (verdicts.includes(true)) return true;
  return verdicts.find((verdict) => typeof verdict !== 'boolean') ?? false;
}

function decideAsValue(rule: Json, assignment: AbstractAssignment): boolean | UndecidedTest {
  return assignment.isRuleTrue(createTemplateKey(rule, assignment));
}

function createTemplateKey(template: LogicTemplate, assignment: AbstractAssignment): string {
  return JSON.stringify(template, (_, part: unknown) => {
    if (!isJsonLogicOperation(part) || !('var' in part)) return part;
    const value = assignment.findValueAt(String([part['var']].flat()[0] ?? ''));
    return 'constant' in value ? { is: value.constant } : { of: value.unknown };
  });
}

function containsLogic(template: LogicTemplate): boolean {
  if (isJsonLogicOperation(template)) return true;
  if (Array.isArray(template)) return template.some((part: Json) => containsLogic(part));
  return isObject(template) && Object.values(template as Record<string, Json>).some(containsLogic);
}
