import jsonLogic from 'json-logic-js';
import type { Logic, Template } from './definition.ts';
import { formatDate } from './format-date.ts';
import { isObject, type Json } from './json.ts';
import { escapePointer } from './json-pointer.ts';
import { isAbsent, isIn, strictOperations } from './values/operations.ts';
import type { Operator } from './plugin.ts';

/** The operators of the classic dialect that definitions may use: all but those that call methods or write logs; and our own. */
export const classicOperators = [
  'var',
  'missing',
  'missing_some',
  'if',
  '?:',
  '==',
  '===',
  '!=',
  '!==',
  '!',
  '!!',
  'or',
  'and',
  '>',
  '>=',
  '<',
  '<=',
  'max',
  'min',
  '+',
  '-',
  '*',
  '/',
  '%',
  'map',
  'reduce',
  'filter',
  'all',
  'none',
  'some',
  'merge',
  'in',
  'cat',
  'substr',
  'formatDate',
] as const;

const own: ReadonlySet<string> = new Set(classicOperators);
const operators = new Set<string>(classicOperators);
const limits = { depth: 20, nodes: 500 } as const;

jsonLogic.add_operation('formatDate', (value: unknown, pattern: unknown, language?: unknown) =>
  isAbsent(value) ? null : formatDate(value, pattern, language),
);
for (const [name, operation] of Object.entries(strictOperations)) jsonLogic.add_operation(name, operation);
jsonLogic.add_operation('in', isIn);

/** Whether a computed value is being evaluated: a text with a missing part has no value then. Rules run to their end, one at a time. */
let isComputing = false;

jsonLogic.add_operation('cat', (...parts: unknown[]) => (isComputing && parts.some(isAbsent) ? null : parts.join('')));

// The library walks the prototype chain: {"var": "constructor"} answered a function. Ours sees own properties only.
jsonLogic.add_operation('var', function (this: unknown, path: unknown, fallback: unknown = null) {
  if (path === undefined || path === null || path === '') return this;
  const value = ownValue(this, String(path));
  return value === undefined ? fallback : value; // what is null is there
});

function ownValue(data: unknown, path: string): unknown {
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Whether an operator is one of the dialect, which no plugin may bring. */
export function isClassic(name: string): boolean {
  return own.has(name);
}

/** Makes an operator of a plugin known to every rule. Throws when the name is taken. */
export function addOperator(name: string, operator: Operator): void {
  if (operators.has(name)) throw new Error(`The operator ${name} exists already.`);
  operators.add(name);
  jsonLogic.add_operation(name, operator);
}

/** Puts another one in the place of a plugin's operator, e.g. after an edit of its code. */
export function replaceOperator(name: string, operator: Operator): void {
  jsonLogic.add_operation(name, operator);
}

/**
 * The result of a rule on `data`; undefined where an object that becomes no text or number stands in the place of one, as a hostile body may
 * have it: its own field refuses it. Rules are checked by `logicProblems` before they get here.
 */
export function evaluate(logic: Logic, data: unknown): unknown {
  try {
    return jsonLogic.apply(logic as Parameters<typeof jsonLogic.apply>[0], data); // the library's type knows no readonly
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** The result of the rule of a computed field, which is absent where a part of it is: also of `cat`, which elsewhere leaves that part out. */
export function evaluateComputed(logic: Logic, data: unknown): unknown {
  isComputing = true;
  try {
    return evaluate(logic, data);
  } finally {
    isComputing = false;
  }
}

/** Whether a rule holds, by JSON-logic's notion of truth (an empty array is false); an absent rule holds. */
export function holds(logic: Logic | undefined, data: unknown): boolean {
  return logic === undefined || jsonLogic.truthy(evaluate(logic, data));
}

/** Replaces the JSON-logic parts of a template by their results and keeps all other structure. */
export function render(template: Template, data: unknown): unknown {
  if (isLogic(template)) return evaluate(template, data);
  if (Array.isArray(template)) return template.map((item) => render(item, data));
  if (isObject(template))
    return Object.fromEntries(Object.entries(template).map(([key, part]) => [key, render(part as Json, data)]));
  return template;
}

/** The dotted paths that a rule reads, e.g. `flags.ayuda`. Paths inside map, filter and the like are relative and left out. */
export function variablesOf(logic: Template): readonly string[] {
  const found = new Set<string>();
  visit(logic, '', (node, _, { relative }) => {
    if (!relative && isLogic(node)) for (const path of pathsOf(node)) if (typeof path === 'string') found.add(path);
  });
  return [...found];
}

/** The operators of plugins that rules use. */
export function pluginOperatorsOf(logic: Template): readonly string[] {
  const found = new Set<string>();
  visit(logic, '', (node) => {
    const [name = ''] = isLogic(node) ? Object.keys(node) : [];
    if (name !== '' && !isClassic(name)) found.add(name);
  });
  return [...found];
}

/** What is wrong with a rule, at a pointer relative to it: `message` for developers, `fault` and `what` it is about for who says it otherwise. */
export interface RuleProblem {
  readonly pointer: string;
  readonly fault: 'depth' | 'size' | 'forbidden' | 'unwritten' | 'unknown';
  readonly what: string;
  readonly message: string;
}

const messages: Readonly<Record<RuleProblem['fault'], (what: string) => string>> = {
  depth: (what) => `The rule is nested deeper than ${what} levels.`,
  size: (what) => `The rule has more than ${what} parts.`,
  forbidden: (what) => `The operator "${what}" is not allowed.`,
  unwritten: (what) => `The operator "${what}" reads what is not written out by name.`,
  unknown: (what) => `Unknown operator "${what}".`,
};

function problemOf(pointer: string, fault: RuleProblem['fault'], what: string): RuleProblem {
  return { pointer, fault, what, message: messages[fault](what) };
}

/** What is wrong with the rules of a template, by pointer relative to it: unknown operators, names that are not written out, too deep, too large. */
export function logicProblems(logic: Template): readonly RuleProblem[] {
  const problems: RuleProblem[] = [];
  let nodes = 0;
  visit(logic, '', (node, pointer, { depth, relative, operand }) => {
    nodes += 1;
    if (depth === limits.depth) problems.push(problemOf(pointer, 'depth', String(limits.depth)));
    if (!isObject(node)) return;
    const [name = '', ...more] = Object.keys(node);
    if (more.length === 0 && ['log', 'method'].includes(name)) problems.push(problemOf(pointer, 'forbidden', name));
    else if (operand && !isLogic(node)) problems.push(unknownOperator(node, pointer));
    else if (isLogic(node) && pathsOf(node).some((path) => typeof path !== 'string' || (path === '' && !relative))) {
      problems.push(problemOf(pointer, 'unwritten', name));
    }
  });
  if (nodes > limits.nodes) problems.push(problemOf('', 'size', String(limits.nodes)));
  return problems;
}

/** Like `logicProblems`, for places where only a rule can stand: an object that is no known operation is a mistake. */
export function ruleProblems(logic: Logic): readonly RuleProblem[] {
  const problems = [...logicProblems(logic)];
  visit(logic, '', (node, pointer, { operand }) => {
    if (isObject(node) && !operand && !isLogic(node)) problems.push(unknownOperator(node, pointer));
  });
  return problems;
}

function unknownOperator(node: object, pointer: string): RuleProblem {
  return problemOf(pointer, 'unknown', Object.keys(node).join('", "'));
}

/** Whether a JSON value is an operation: an object whose only key is a known operator. */
export function isLogic(value: unknown): value is { readonly [operator: string]: Json } {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && operators.has(keys[0] ?? '');
}

/** Operators that ask their second operand about each item of the first: `var` is of the item there. */
const iterators = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

// What `var`, `missing` and `missing_some` read: a rule is run again when one of these changes, so each is written out.
function pathsOf(node: { readonly [operator: string]: Json }): readonly Json[] {
  const [operator = '', operand = null] = Object.entries(node)[0] ?? [];
  const operands: readonly Json[] = Array.isArray(operand) ? operand : [operand];
  if (operator === 'var') return [operands[0] ?? ''];
  if (operator === 'missing') return Array.isArray(operands[0]) ? operands[0] : operands;
  if (operator === 'missing_some') return Array.isArray(operands[1]) ? operands[1] : [operands[1] ?? null];
  return [];
}

/** Where in a rule or template a node stands. */
interface Standing {
  readonly depth: number;
  /** Its variables are of an item of map, filter and the like. */
  readonly relative: boolean;
  /** An operation holds it, so that it cannot be structure of a template. */
  readonly operand: boolean;
}

function visit(
  node: Template,
  pointer: string,
  see: (node: Template, pointer: string, standing: Standing) => void,
  standing: Standing = { depth: 0, relative: false, operand: false },
): void {
  if (standing.depth > limits.depth) return;
  see(node, pointer, standing);
  const below = { ...standing, depth: standing.depth + 1 };
  if (Array.isArray(node)) node.forEach((item: Json, index) => visit(item, `${pointer}/${index}`, see, below));
  if (!isObject(node)) return;
  const operand = standing.operand || isLogic(node);
  for (const [key, part] of Object.entries(node) as [string, Json][]) {
    const inside = { ...below, operand };
    if (isLogic(node) && iterators.has(key) && Array.isArray(part)) {
      part.forEach((item: Json, index) =>
        visit(item, `${pointer}/${escapePointer(key)}/${index}`, see, {
          ...inside,
          depth: inside.depth + 1,
          relative: standing.relative || index === 1,
        }),
      );
    } else visit(part, `${pointer}/${escapePointer(key)}`, see, inside);
  }
}
