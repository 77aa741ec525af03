import jsonLogic from 'json-logic-js';
import type { JsonLogic, LogicTemplate } from './flow-and-screen-types.ts';
import { formatDate } from './format-date.ts';
import { isObject, mapValues, type Json } from './json.ts';
import { escapePointer } from './json-pointer.ts';
import { isAbsentOperand, isContainedIn, nullPropagatingOperations } from './values/json-logic-operations.ts';
import type { JsonLogicOperatorFunction } from './plugin-rule.ts';
import { parseFieldVariable } from './field-path.ts';

/** Operators that definitions may use: `formatDate`, and the standard JSON-logic operators except `method` and `log`. */
export const allowedLogicOperators = [
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

const classicOperators: ReadonlySet<string> = new Set(allowedLogicOperators);
const operators = new Set<string>(allowedLogicOperators);
const limits = { depth: 20, nodes: 500 } as const;

jsonLogic.add_operation('formatDate', (value: unknown, pattern: unknown, language?: unknown) =>
  isAbsentOperand(value) ? null : formatDate(value, pattern, language),
);
for (const [name, operation] of Object.entries(nullPropagatingOperations)) jsonLogic.add_operation(name, operation);
jsonLogic.add_operation('in', isContainedIn);

/** Whether a computed value is being evaluated, where `cat` requires all operands. A global is safe, because evaluation is synchronous. */
let isComputing = false;

jsonLogic.add_operation('cat', (...parts: unknown[]) =>
  isComputing && parts.some(isAbsentOperand) ? null : parts.join(''),
);

// Replaces the library's `var`, which also reads inherited properties: {"var": "constructor"} would return a function.
jsonLogic.add_operation('var', function (this: unknown, path: unknown, fallback: unknown = null) {
  if (path === undefined || path === null || path === '') return this;
  const value = getOwnValue(this, String(path));
  return value === undefined ? fallback : value; // `null` is a value, so only `undefined` is replaced by the fallback
});

function getOwnValue(data: unknown, path: string): unknown {
  let value = data;
  for (const key of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
    value = Reflect.get(value, key);
  }
  return value;
}

/** Whether a name is that of a built-in JSON-logic operator. Plugins cannot redefine these operators. */
export function isJsonLogicOperatorName(name: string): boolean {
  return classicOperators.has(name);
}

/** Returns the path of a rule that only reads a variable, `{ "var": path }`. Returns `null` for other rules. */
export function findVariablePath(rule: Json | undefined): string | null {
  return isObject(rule) && typeof rule.var === 'string' ? rule.var : null;
}

/** Returns the names of the built-in operators and those of plugins. */
export function listJsonLogicOperators(): readonly string[] {
  return [...operators];
}

/** Registers an operator of a plugin for all rules of the process. Replaces the operator of a plugin that has the same name. Throws if it is built in. */
export function registerPluginOperator(name: string, operator: JsonLogicOperatorFunction): void {
  if (isJsonLogicOperatorName(name)) throw new Error(`The operator ${name} exists already.`);
  operators.add(name);
  jsonLogic.add_operation(name, operator);
}

/** Requires a rule without problems (`findLogicTemplateProblems`). Returns `undefined` if an operand in `data` has the wrong type. */
export function evaluateJsonLogic(logic: JsonLogic, data: unknown): unknown {
  try {
    return jsonLogic.apply(logic as Parameters<typeof jsonLogic.apply>[0], data); // cast: the parameter type of the library is not readonly
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Evaluates the rule of a computed field. There, `cat` also returns `null` if an operand is absent, while in other rules it skips the operand. */
export function evaluateComputedField(logic: JsonLogic, data: unknown): unknown {
  isComputing = true;
  try {
    return evaluateJsonLogic(logic, data);
  } finally {
    isComputing = false;
  }
}

/** Whether a rule is truthy in JSON-logic, where an empty array is falsy. A missing rule is true. */
export function isRuleTrue(logic: JsonLogic | undefined, data: unknown): boolean {
  return logic === undefined || jsonLogic.truthy(evaluateJsonLogic(logic, data));
}

export function renderLogicTemplate(template: LogicTemplate, data: unknown): unknown {
  if (isJsonLogicOperation(template)) return evaluateJsonLogic(template, data);
  if (Array.isArray(template)) return template.map((item) => renderLogicTemplate(item, data));
  return isObject(template) ? mapValues(template, (part) => renderLogicTemplate(part, data)) : template;
}

/** Returns the dotted paths that a rule reads, e.g. `flags.ayuda`. Omits paths inside an iterator such as `map`, which are relative to an item. */
export function listPathsReadByLogic(logic: LogicTemplate): readonly string[] {
  const found = new Set<string>();
  visitLogicNode(logic, '', (node, _, { relative }) => {
    if (!relative && isJsonLogicOperation(node))
      for (const path of listReadPaths(node)) if (typeof path === 'string') found.add(path);
  });
  return [...found];
}

export function listFieldsReadByLogic(logic: LogicTemplate): readonly string[] {
  return listPathsReadByLogic(logic).flatMap((path) => parseFieldVariable(path) ?? []);
}

export function listPluginOperators(logic: LogicTemplate): readonly string[] {
  const found = new Set<string>();
  visitLogicNode(logic, '', (node) => {
    const [name = ''] = isJsonLogicOperation(node) ? Object.keys(node) : [];
    if (name !== '' && !isJsonLogicOperatorName(name)) found.add(name);
  });
  return [...found];
}

/** Problem of a rule, with a JSON pointer into the rule. `message` is for developers. Callers may build another message from `fault` and `what`. */
interface RuleProblem {
  readonly pointer: string;
  readonly fault: 'depth' | 'size' | 'forbidden' | 'unwritten' | 'unknown';
  readonly what: string;
  readonly message: string;
}

const messages: Readonly<Record<RuleProblem['fault'], (what: string) => string>> = {
  depth: (what) => `The rule is nested deeper than ${what} levels.`,
  size: (what) => `The rule has more than ${what} parts.`,
  forbidden: (what) => `The operator "${what}" is not allowed.`,
  unwritten: (what) => `The operator "${what}" reads values that the rule does not name.`,
  unknown: (what) => `Unknown operator "${what}".`,
};

function createProblem(pointer: string, fault: RuleProblem['fault'], what: string): RuleProblem {
  return { pointer, fault, what, message: messages[fault](what) };
}

export function findLogicTemplateProblems(logic: LogicTemplate): readonly RuleProblem[] {
  const problems: RuleProblem[] = [];
  let nodes = 0;
  visitLogicNode(logic, '', (node, pointer, { depth, relative, operand }) => {
    nodes += 1;
    if (depth === limits.depth) problems.push(createProblem(pointer, 'depth', String(limits.depth)));
    if (!isObject(node)) return;
    const [name = '', ...more] = Object.keys(node);
    if (more.length === 0 && ['log', 'method'].includes(name)) problems.push(createProblem(pointer, 'forbidden', name));
    else if (operand && !isJsonLogicOperation(node)) problems.push(createUnknownOperatorProblem(node, pointer));
    else if (
      isJsonLogicOperation(node) &&
      listReadPaths(node).some((path) => typeof path !== 'string' || (path === '' && !relative))
    ) {
      problems.push(createProblem(pointer, 'unwritten', name));
    }
  });
  if (nodes > limits.nodes) problems.push(createProblem('', 'size', String(limits.nodes)));
  return problems;
}

/** Returns the problems of a rule. Unlike in a template, an object that is not a known operation is a problem. */
export function findRuleProblems(logic: JsonLogic): readonly RuleProblem[] {
  const problems = [...findLogicTemplateProblems(logic)];
  visitLogicNode(logic, '', (node, pointer, { operand }) => {
    if (isObject(node) && !operand && !isJsonLogicOperation(node))
      problems.push(createUnknownOperatorProblem(node, pointer));
  });
  return problems;
}

function createUnknownOperatorProblem(node: object, pointer: string): RuleProblem {
  return createProblem(pointer, 'unknown', Object.keys(node).join('", "'));
}

export function isJsonLogicOperation(value: unknown): value is { readonly [operator: string]: Json } {
  if (!isObject(value)) return false;
  const keys = Object.keys(value);
  return keys.length === 1 && operators.has(keys[0] ?? '');
}

/** Operators that evaluate the second operand for each item of the first. Inside it, `var` is relative to the item. */
const iterators = new Set(['map', 'filter', 'all', 'none', 'some', 'reduce']);

/** The paths must be literals, because a rule is re-evaluated when the value at one of its paths changes. */
function listReadPaths(node: { readonly [operator: string]: Json }): readonly Json[] {
  const [operator = '', operand = null] = Object.entries(node)[0] ?? [];
  const operands: readonly Json[] = Array.isArray(operand) ? operand : [operand];
  if (operator === 'var') return [operands[0] ?? ''];
  if (operator === 'missing') return Array.isArray(operands[0]) ? operands[0] : operands;
  if (operator === 'missing_some') return Array.isArray(operands[1]) ? operands[1] : [operands[1] ?? null];
  return [];
}

interface NodeContext {
  readonly depth: number;
  /** Whether the node is inside `map`, `filter` or another iterator, where variables are relative to an item. */
  readonly relative: boolean;
  /** Whether the node is an operand of an operation, where template structure is not allowed. */
  readonly operand: boolean;
}

function visitLogicNode(
  node: LogicTemplate,
  pointer: string,
  see: (node: LogicTemplate, pointer: string, nodeContext: NodeContext) => void,
  nodeContext: NodeContext = { depth: 0, relative: false, operand: false },
): void {
  if (nodeContext.depth > limits.depth) return;
  see(node, pointer, nodeContext);
  const below = { ...nodeContext, depth: nodeContext.depth + 1 };
  if (Array.isArray(node)) node.forEach((item: Json, index) => visitLogicNode(item, `${pointer}/${index}`, see, below));
  if (!isObject(node)) return;
  const operand = nodeContext.operand || isJsonLogicOperation(node);
  for (const [key, part] of Object.entries(node) as [string, Json][]) {
    const inside = { ...below, operand };
    if (isJsonLogicOperation(node) && iterators.has(key) && Array.isArray(part)) {
      part.forEach((item: Json, index) =>
        visitLogicNode(item, `${pointer}/${escapePointer(key)}/${index}`, see, {
          ...inside,
          depth: inside.depth + 1,
          relative: nodeContext.relative || index === 1,
        }),
      );
    } else visitLogicNode(part, `${pointer}/${escapePointer(key)}`, see, inside);
  }
}
