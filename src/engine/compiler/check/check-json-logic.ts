import type { JsonLogic, LogicTemplate } from '../../core/flow-and-screen-types.ts';
import { isFieldWithin } from '../../core/field-path.ts';
import {
  findLogicTemplateProblems,
  findRuleProblems,
  listPathsReadByLogic,
  isRuleTrue,
  isJsonLogicOperation,
  listJsonLogicOperators,
} from '../../core/json-logic.ts';
import {
  findNearestName,
  listNearNames,
  suggestSimilarName,
  explain,
  localize,
  type LocalizedText,
} from '../sources/localized-text.ts';
import { isObject, type Json } from '../../core/json.ts';
import { splitPointer, escapePointer } from '../../core/json-pointer.ts';
import { variablePathPattern } from '../flow/unexpanded-flow-types.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';

interface OperandContext {
  /** Whether the operand is used as a condition. A literal condition is always true or always false. */
  readonly decides: boolean;
  /** Whether the node is an operand of an operator. In an operand, a text is a literal and not the name of a variable. */
  readonly operand: boolean;
}

/** Operators whose operands are variable names or texts to concatenate. */
const readingOperators = new Set(['var', 'missing', 'missing_some', 'cat']);

const comparisons = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in']);

/** Operators whose second operand is a condition on each item. */
const iteratingOperators = new Set(['filter', 'all', 'none', 'some']);

/** Variable roots that only branches after an operation may read. */
const operationRoots = ['error', 'result'];

/**
 * Reports literals that were probably meant as a value or condition, e.g. "form.age" without `var`. A rule with such a literal looks like a test, but
 * its result is constant. `decides` is true if the complete rule is a condition.
 */
function checkLiterals(
  report: ProblemReporter,
  pointer: string,
  logic: LogicTemplate,
  { facts, decides }: { readonly facts: readonly string[]; readonly decides: boolean },
): void {
  const roots = new Set([
    'form',
    'context',
    'item',
    ...operationRoots,
    ...facts.map((fact) => fact.replace(/\..*/, '')),
  ]);
  const isName = (node: Json): node is string =>
    typeof node === 'string' && variablePathPattern.test(node) && roots.has(node.replace(/\..*/, ''));
  const visitNode = (node: Json, at: string, place: OperandContext): void => {
    if (isJsonLogicOperation(node)) return operands(node, at, place);
    if (place.decides && typeof node !== 'boolean' && !isObject(node)) return reportNoCondition(report, at, node);
    if (place.operand && isName(node))
      report(at)(explain`"${node}" is a text here, not the value.
        Write { "var": "${node}" } or, for the text itself, { "cat": ["${node}"] }.`);
    if (Array.isArray(node))
      node.forEach((part: Json, index) => {
        visitNode(part, `${at}/${index}`, { ...place, decides: false });
      });
    else if (isObject(node))
      for (const [key, part] of Object.entries(node))
        visitNode(part as Json, `${at}/${escapePointer(key)}`, { ...place, decides: false });
  };
  const operands = (node: { readonly [operator: string]: Json }, at: string, { decides: whole }: OperandContext) => {
    const [operator = '', written = null] = Object.entries(node)[0] ?? [];
    const all: readonly Json[] = Array.isArray(written) ? written : [written];
    const inside = `${at}/${escapePointer(operator)}`;
    checkCount(report, at, operator, all.length);
    if (operator === 'in' && Array.isArray(all[0]) && isJsonLogicOperation(all[1] ?? null))
      report(`${inside}/0`)(explain`"in" looks for its first operand in the second, but a text cannot contain a list.
        Swap the operands: { "in": [{ "var": … }, [ … ]] }.`);
    if (comparisons.has(operator) && all.every(isLiteral) && !all.some(isName))
      report(at)(explain`"${operator}" compares only constants: its result is always the same.
        Texts are constants here. Write { "var": "context.token" } for a value, { "var": "<fact>" } for a fact.`);
    all.forEach((operand, index) => {
      if (readingOperators.has(operator) && (typeof operand === 'string' || Array.isArray(operand))) return;
      const isCondition = isConditionOperand(operator, index, all.length);
      visitNode(operand, Array.isArray(written) ? `${inside}/${index}` : inside, {
        decides: isCondition ?? whole,
        operand: true,
      });
    });
  };
  visitNode(logic, pointer, { decides, operand: false });
}

/**
 * Whether an operand is a condition. Returns `undefined` if the operand may be the result of the operation. Such an operand is a condition only if
 * the operation itself is a condition.
 */
function isConditionOperand(operator: string, index: number, count: number): boolean | undefined {
  if (operator === '!' || operator === '!!') return true;
  if (operator === 'and' || operator === 'or') return index < count - 1 || undefined;
  if (operator === 'if' || operator === '?:') return (index % 2 === 0 && index < count - 1) || undefined;
  return iteratingOperators.has(operator) && index === 1;
}

function isLiteral(node: Json): boolean {
  return Array.isArray(node) ? node.every(isLiteral) : !isObject(node);
}

function checkCount(report: ProblemReporter, at: string, operator: string, count: number): void {
  if (['and', 'or'].includes(operator) && count === 0)
    report(at)(explain`"${operator}" has no operands.
      Write the condition, or remove it.`);
  if (['!', '!!'].includes(operator) && count !== 1)
    report(at)(explain`"${operator}" takes one operand, but has ${count}.
      Combine several into one: { "${operator}": [{ "or": [ … ] }] }.`);
}

function reportNoCondition(report: ProblemReporter, at: string, node: Json): void {
  const nodeText = Array.isArray(node) ? localize`A list` : JSON.stringify(node);
  report(at)({
    message: isRuleTrue(node, {})
      ? localize`${nodeText} is not a condition: it would always be true.`
      : localize`${nodeText} is not a condition: it would never be true.`,
    hint: localize`Write a rule in JSON-logic, e.g. { "var": "${typeof node === 'string' && variablePathPattern.test(node) ? node : 'context.token'}" }.`,
  });
}

export interface ReadableVariables {
  /** Fields that rules may read. `null` if the fields are unknown: rules may then read any field. */
  readonly form: ReadonlySet<string> | null;
  readonly item?: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  /** Facts that rules may read. `flags.ayuda` allows only this path. `user` allows every path below it. */
  readonly facts: readonly string[];
  /** Returns the location of an unknown variable in a rule, which may be in a named guard. Defaults to the location of the rule. */
  readonly locateUnknown?: (pointer: string, path: string) => string;
  /** Explains how to read a field that only another screen of the flow has. */
  readonly suggestMoved?: (field: string) => LocalizedText | undefined;
}

/** Checks the operators, size and variables of a rule that is used as a condition. Also checks that the rule is not a literal. */
export function checkRuleCondition(
  report: ProblemReporter,
  pointer: string,
  logic: JsonLogic,
  readable: ReadableVariables,
): void {
  checkJsonLogic(report, pointer, logic, readable, true);
}

export function checkJsonLogic(
  report: ProblemReporter,
  pointer: string,
  logic: JsonLogic,
  readable: ReadableVariables,
  decides = false,
): void {
  reportAll(report, pointer, logic, { found: findRuleProblems(logic), readable });
  checkLiterals(report, pointer, logic, { facts: readable.facts, decides });
  checkVariables(report, pointer, logic, readable);
}

/** Checks a template. Objects that are not rules are literal structure. */
export function checkLogicTemplate(
  report: ProblemReporter,
  pointer: string,
  template: LogicTemplate,
  readable: ReadableVariables,
): void {
  reportAll(report, pointer, template, { found: findLogicTemplateProblems(template), readable });
  checkLiterals(report, pointer, template, { facts: readable.facts, decides: false });
  checkVariables(report, pointer, template, readable, true);
}

function reportAll(
  report: ProblemReporter,
  at: string,
  logic: LogicTemplate,
  {
    found,
    readable,
  }: { readonly found: ReturnType<typeof findLogicTemplateProblems>; readonly readable: ReadableVariables },
): void {
  for (const problem of found) {
    const { pointer } = problem;
    const node = splitPointer(pointer).reduce<unknown>((whole, step) => Reflect.get(Object(whole), step), logic);
    report(at + pointer)(explain`${formatLogicProblem(problem)}
      ${hintForOperator(node, readable)}`);
  }
}

function formatLogicProblem({
  fault,
  what,
  message,
}: ReturnType<typeof findLogicTemplateProblems>[number]): LocalizedText {
  switch (fault) {
    case 'depth':
      return localize`The rule is nested deeper than ${what} levels.`;
    case 'size':
      return localize`The rule has more than ${what} parts.`;
    case 'forbidden':
      return localize`The operator "${what}" is not allowed.`;
    case 'unwritten':
      return localize`The operator "${what}" reads values that the rule does not name.`;
    case 'unknown':
      return localize`Unknown operator "${what}".`;
    default:
      return localize`${message}`;
  }
}

function hintForOperator(node: unknown, readable: ReadableVariables): LocalizedText {
  const [[name, value] = ['', null], ...more] = isObject(node) ? Object.entries(node) : [];
  if (name === '=') return localize`Write "${'=='}".`;
  const nearest = Array.isArray(value) ? findNearestName(name, listJsonLogicOperators()) : undefined;
  if (nearest !== undefined) return localize`Write "${nearest}".`;
  const isError = name === 'error' && readable.facts.includes('error');
  const path = isError ? 'error.code' : readable.context.has(name) ? `context.${name}` : name;
  const rule = `{ "${Array.isArray(value) ? 'in' : '=='}": [{ "var": "${path}" }, ${JSON.stringify(value)}] }`;
  if (path !== name) return localize`Did you mean "${path}"? Write ${rule}.`;
  if (!variablePathPattern.test(name)) return localize`Use the operators of JSON-logic, or an operator of a plugin.`;
  const longForm = more.length === 0 ? rule : `{ "and": [${rule}, …] }`;
  return localize`Write ${longForm}: the short form is allowed only in the guards of flows, including inside "and", "or" and "!".`;
}

function checkVariables(
  report: ProblemReporter,
  pointer: string,
  logic: LogicTemplate,
  readable: ReadableVariables,
  isTemplate = false,
): void {
  for (const path of listPathsReadByLogic(logic)) {
    if (!isKnownVariable(path, readable)) {
      report(readable.locateUnknown?.(pointer, path) ?? pointer)(explain`The variable "${path}" does not exist.
        ${hintFor(path, readable)}${isTemplate ? suggestText(path) : ''}`);
    }
  }
}

export function isKnownVariable(path: string, { form, item, context, facts }: ReadableVariables): boolean {
  const [root = '', name = '', ...more] = path.split('.');
  const isField = (fields: ReadonlySet<string>) => {
    const field = [name, ...more].join('.');
    return fields.has(name) || [...fields].some((known) => isFieldWithin(known, field) || isFieldWithin(field, known));
  };
  if (root === 'form') return form === null || isField(form);
  if (root === 'item' && item) return isField(item);
  if (root === 'context') return context.has(name);
  return facts.some((fact) => path === fact || path.startsWith(`${fact}.`));
}

function hintFor(path: string, { form, item, context, facts, suggestMoved }: ReadableVariables): LocalizedText {
  const [root = '', name = ''] = path.split('.');
  if (item && (root === 'item' || root === 'form'))
    return localize`${suggestSimilarName(name, item)}The visibility of a field in a list can depend only on its own item: ${[...item].map((field) => `item.${field}`).join(', ')}.`;
  const moved = root === 'form' ? suggestMoved?.(path.slice(root.length + 1)) : undefined;
  if (moved && findNearestName(name, form ?? []) === undefined) return moved;
  if (root === 'form')
    return localize`${suggestSimilarName(name, form ?? [])}Fields here: ${listNearNames(name, form ?? [])}. Remove the variable here if you removed the field.`;
  if (root === 'context')
    return localize`${suggestSimilarName(name, context)}Assign it, or declare it in "context". Known: ${listNearNames(name, context)}.`;
  if (root === 'result' || root === 'error')
    return localize`"${root}" is the response of an operation and can be read only in "${root === 'error' ? 'onError' : 'onDone'}".`;
  const roots = ['form', 'context', ...(item ? ['item'] : [])];
  const rest = path.slice(root.length);
  const misspelt = findNearestName(root, roots);
  const suggested = form?.has(path)
    ? localize`Did you mean "${`form.${path}`}"? `
    : misspelt !== undefined && rest !== ''
      ? localize`Did you mean "${misspelt + rest}"? `
      : suggestSimilarName(path, facts);
  return localize`${suggested}Known: ${listNearNames(path, ['form.<field>', 'context.<name>', ...facts])}.`;
}

/** Suggests how to write a text that looks like the name of a variable. */
function suggestText(path: string): LocalizedText {
  return /^(?!form\.|context\.)/.test(path) && variablePathPattern.test(path)
    ? localize` For a text, write { "cat": ["${path}"] }.`
    : localize``;
}
