import type { Logic, Template } from '../../../core/definition.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { evaluate, isLogic } from '../../../core/logic.ts';
import { isTrue, unknown, type Question, type Value, type World } from './world.ts';

/** How a guard may end: one or two worlds, each knowing what it must for that end. */
export interface Fork {
  readonly holds: boolean;
  readonly world: World;
}

/** Every way in which a rule may hold or not hold in a world. */
export function forksOf(rule: Logic | undefined, world: World): readonly Fork[] {
  const verdict = decide(rule, world);
  if (typeof verdict === 'boolean') return [{ holds: verdict, world }];
  return [true, false].flatMap((answer) => {
    const next = world.assume(verdict, answer);
    return next ? forksOf(rule, next) : [];
  });
}

/** Whether a rule holds in a world; the first question on the way, where nobody knows. An absent rule holds. */
export function decide(rule: Logic | undefined, world: World): boolean | Question {
  if (rule === undefined) return true;
  if (!isLogic(rule)) return isObject(rule) ? true : isTrue(rule);
  const [operator = '', operands] = operationOf(rule);
  const [first = null, second = null] = operands;
  switch (operator) {
    case 'var':
      return world.truthOf(valueOf(rule, world));
    case '!':
      return not(decide(first, world));
    case '!!':
      return decide(first, world);
    case 'and':
      return allOf(operands, world, true);
    case 'or':
      return not(allOf(operands, world, false));
    case 'if':
    case '?:':
      return decideIf(operands, world);
    case '==':
    case '===':
      return equal(first, second, world) ?? asWhole(rule, world);
    case '!=':
    case '!==':
      return not(equal(first, second, world) ?? asWhole(rule, world));
    case 'in':
      return isAmong(valueOf(first, world), valueOf(second, world), world) ?? asWhole(rule, world);
    default: {
      const value = valueOf(rule, world);
      return 'constant' in value ? isTrue(value.constant) : asWhole(rule, world);
    }
  }
}

/** What a template answers in a world. */
export function valueOf(template: Template, world: World): Value {
  if (!isLogic(template)) {
    const parts = isObject(template) ? Object.values(template as Record<string, Json>) : [template].flat();
    const isPlain = parts.every((part) => part === template || 'constant' in valueOf(part, world));
    return isPlain && !containsLogic(template) ? { constant: template } : unknown(`rule:${keyOf(template, world)}`);
  }
  const [operator = '', operands] = operationOf(template);
  if (operator === 'var') {
    const found = world.at(String(operands[0] ?? ''));
    const fallback = operands[1];
    return fallback !== undefined && 'unknown' in found ? unknown(`rule:${keyOf(template, world)}`) : found;
  }
  if (['or', 'and', 'if', '?:'].includes(operator)) {
    const [first = null, ...rest] = operands;
    const verdict = decide(first, world);
    if (typeof verdict === 'boolean') {
      if (operator === 'or') return verdict || rest.length === 0 ? valueOf(first, world) : valueOf({ or: rest }, world);
      if (operator === 'and')
        return !verdict || rest.length === 0 ? valueOf(first, world) : valueOf({ and: rest }, world);
      const [then = null, ...otherwise] = rest;
      if (rest.length === 0) return valueOf(first, world);
      if (verdict) return valueOf(then, world);
      return otherwise.length === 1 ? valueOf(otherwise[0] ?? null, world) : valueOf({ if: otherwise }, world);
    }
  }
  if (['!', '!!', '==', '!=', '===', '!==', 'in'].includes(operator)) {
    const verdict = decide(template, world);
    if (typeof verdict === 'boolean') return { constant: verdict };
    return unknown(`rule:${keyOf(template, world)}`, { schema: { type: 'boolean' }, optional: false });
  }
  const constants = operands
    .map((operand) => valueOf(operand, world))
    .flatMap((value) => ('constant' in value && !isObject(value.constant) ? [value.constant] : []));
  if (constants.length === operands.length)
    return { constant: (evaluate({ [operator]: constants }, {}) as Json | undefined) ?? null }; // logic on JSON answers JSON
  return unknown(`rule:${keyOf(template, world)}`);
}

function operationOf(rule: { readonly [operator: string]: Json }): readonly [string, readonly Json[]] {
  const [operator = '', operand = null] = Object.entries(rule)[0] ?? [];
  return [operator, Array.isArray(operand) ? (operand as readonly Json[]) : [operand]];
}

function not(verdict: boolean | Question): boolean | Question {
  return typeof verdict === 'boolean' ? !verdict : verdict;
}

// Whether each operand is true (`and`), or each is false (`or`, turned round): one that is not decides, also behind an open question.
function allOf(operands: readonly Json[], world: World, wanted: boolean): boolean | Question {
  const verdicts = operands.map((operand) => decide(operand, world));
  if (verdicts.some((verdict) => verdict === !wanted)) return false;
  return verdicts.find((verdict) => typeof verdict !== 'boolean') ?? true;
}

function decideIf(operands: readonly Json[], world: World): boolean | Question {
  const [condition = null, then = null, ...otherwise] = operands;
  if (operands.length <= 1) return decide(condition, world);
  const verdict = decide(condition, world);
  if (typeof verdict !== 'boolean') return verdict;
  return verdict ? decide(then, world) : decideIf(otherwise.length > 0 ? otherwise : [null], world);
}

function equal(first: Json, second: Json, world: World): boolean | Question | undefined {
  const [a, b] = [valueOf(first, world), valueOf(second, world)];
  if ('constant' in b) return world.equals(a, b.constant);
  if ('constant' in a) return world.equals(b, a.constant);
  return a.unknown === b.unknown ? true : undefined;
}

function isAmong(value: Value, list: Value, world: World): boolean | Question | undefined {
  if (!('constant' in list) || !Array.isArray(list.constant)) return undefined;
  const verdicts = (list.constant as readonly Json[]).map((item) => world.equals(value, item));
  if (verdicts.includes(true)) return true;
  return verdicts.find((verdict) => typeof verdict !== 'boolean') ?? false;
}

function asWhole(rule: Json, world: World): boolean | Question {
  return world.ruleOf(keyOf(rule, world));
}

function keyOf(template: Template, world: World): string {
  return JSON.stringify(template, (_, part: unknown) => {
    if (!isLogic(part) || !('var' in part)) return part;
    const value = world.at(String([part['var']].flat()[0] ?? ''));
    return 'constant' in value ? { is: value.constant } : { of: value.unknown };
  });
}

function containsLogic(template: Template): boolean {
  if (isLogic(template)) return true;
  if (Array.isArray(template)) return template.some((part: Json) => containsLogic(part));
  return isObject(template) && Object.values(template as Record<string, Json>).some(containsLogic);
}
