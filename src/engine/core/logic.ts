import jsonLogic from 'json-logic-js';
import type { Logic, Template } from './definition.ts';
import { isObject, type Json } from './json.ts';
import type { Operator } from './plugin.ts';

/** The operators of the classic dialect that definitions may use: all but those that call methods or write logs. */
const classic = [
  'var', 'missing', 'missing_some', 'if', '?:', '==', '===', '!=', '!==', '!', '!!', 'or', 'and', '>', '>=', '<', '<=',
  'max', 'min', '+', '-', '*', '/', '%', 'map', 'reduce', 'filter', 'all', 'none', 'some', 'merge', 'in', 'cat', 'substr',
] as const;

const operators = new Set<string>(classic);
const limits = { depth: 20, nodes: 500 } as const;

// The library walks the prototype chain: {"var": "constructor"} answered a function. Ours sees own properties only.
jsonLogic.add_operation('var', function (this: unknown, path: unknown, fallback: unknown = null) {
  return path === undefined || path === null || path === '' ? this : (ownValue(this, String(path)) ?? fallback);
});

function ownValue(data: unknown, path: string): unknown {
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Makes an operator of a plugin known to every rule. Throws when the name is taken. */
export function addOperator(name: string, operator: Operator): void {
  if (operators.has(name)) throw new Error(`The operator ${name} exists already.`);
  operators.add(name);
  jsonLogic.add_operation(name, operator);
}

/** The result of a rule on `data`. Rules are checked by `logicProblems` before they get here. */
export function evaluate(logic: Logic, data: unknown): unknown {
  return jsonLogic.apply(logic as Parameters<typeof jsonLogic.apply>[0], data); // the library's type knows no readonly
}

/** Whether a rule holds, by JSON-logic's notion of truth (an empty array is false); an absent rule holds. */
export function holds(logic: Logic | undefined, data: unknown): boolean {
  return logic === undefined || jsonLogic.truthy(evaluate(logic, data));
}

/** Replaces the JSON-logic parts of a template by their results and keeps all other structure. */
export function render(template: Template, data: unknown): unknown {
  if (isLogic(template)) return evaluate(template, data);
  if (Array.isArray(template)) return template.map((item) => render(item, data));
  if (isObject(template)) return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, render(part as Json, data)]));
  return template;
}

/** The dotted paths that a rule reads by constant `var`s, e.g. `flags.ayuda`. Paths inside map, filter and the like are relative and left out. */
export function variablesOf(logic: Template): readonly string[] {
  const found = new Set<string>();
  visit(logic, '', (node) => {
    if (!isLogic(node)) return;
    const [operator, operand] = operation(node);
    const path = Array.isArray(operand) ? operand[0] : operand;
    if (operator === 'var' && typeof path === 'string') found.add(path);
  });
  return [...found];
}

/** What is wrong with a rule, by pointer relative to it: unknown operators, too deep, too large. */
export function logicProblems(logic: Template): readonly { pointer: string; message: string }[] {
  const problems: { pointer: string; message: string }[] = [];
  let nodes = 0;
  visit(logic, '', (node, pointer, depth) => {
    nodes += 1;
    if (depth === limits.depth) problems.push({ pointer, message: `The rule is nested deeper than ${limits.depth} levels.` });
    if (isObject(node) && Object.keys(node).length === 1) {
      const name = Object.keys(node)[0] ?? '';
      if (['log', 'method'].includes(name)) problems.push({ pointer, message: `The operator "${name}" is not allowed.` });
    }
  });
  if (nodes > limits.nodes) problems.push({ pointer: '', message: `The rule has more than ${limits.nodes} parts.` });
  return problems;
}

/** Like `logicProblems`, for places where only a rule can stand: an object that is no known operation is a mistake. */
export function ruleProblems(logic: Logic): readonly { pointer: string; message: string }[] {
  const problems = [...logicProblems(logic)];
  visit(logic, '', (node, pointer) => {
    if (isObject(node) && !isLogic(node)) {
      problems.push({ pointer, message: `Unknown operator "${Object.keys(node).join('", "')}".` });
    }
  });
  return problems;
}

/** Whether a JSON value is an operation: an object whose only key is a known operator. */
export function isLogic(value: unknown): value is { readonly [operator: string]: Json } {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && operators.has(keys[0] ?? '');
}

const iterators = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

function operation(node: { readonly [operator: string]: Json }): readonly [string, Json] {
  return Object.entries(node)[0] ?? ['', null];
}

function visit(node: Template, pointer: string, see: (node: Template, pointer: string, depth: number) => void, depth = 0): void {
  if (depth > limits.depth) return;
  see(node, pointer, depth);
  if (Array.isArray(node)) node.forEach((item, index) => visit(item, `${pointer}/${index}`, see, depth + 1));
  else if (isObject(node)) {
    for (const [key, part] of Object.entries(node) as [string, Json][]) {
      if (isLogic(node) && iterators.has(key) && Array.isArray(part)) visit(part[0] ?? null, `${pointer}/${key}/0`, see, depth + 1);
      else visit(part, `${pointer}/${key}`, see, depth + 1);
    }
  }
}
