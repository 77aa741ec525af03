import type { Template } from '../../core/definition.ts';
import { isObject, type Json } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import { holds, isLogic } from '../../core/logic.ts';
import { reading } from '../flow/short-forms.ts';
import type { Report } from '../sources/report.ts';
import { say } from '../sources/say.ts';

interface Place {
  /** The operand is used as a condition. A literal there would always be true or always false. */
  readonly decides: boolean;
  /** The operand belongs to an operation. A text there is taken literally. */
  readonly operand: boolean;
}

/** Operators that take variable names, single or in a list, or texts to concatenate. */
const readers = new Set(['var', 'missing', 'missing_some', 'cat']);

const comparisons = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=', 'in']);

/** Operators whose second operand is a condition on each item. */
const choosers = new Set(['filter', 'all', 'none', 'some']);

/** Roots that only branches after an operation may read. */
const ofAnswers = ['error', 'result'];

/**
 * Reports literals where a value or a condition was probably meant, e.g. "form.age" without `var`. A rule with such a literal is always true or
 * always false, although it looks like a test. `decides` is true if the whole rule is a condition.
 */
export function checkLiterals(
  report: Report,
  pointer: string,
  logic: Template,
  { facts, decides }: { readonly facts: readonly string[]; readonly decides: boolean },
): void {
  const roots = new Set(['form', 'context', 'item', ...ofAnswers, ...facts.map((fact) => fact.replace(/\..*/, ''))]);
  const isName = (node: Json): node is string =>
    typeof node === 'string' && reading.test(node) && roots.has(node.replace(/\..*/, ''));
  const see = (node: Json, at: string, place: Place): void => {
    if (isLogic(node)) return operands(node, at, place);
    if (place.decides && typeof node !== 'boolean' && !isObject(node)) return noCondition(report, at, node);
    if (place.operand && isName(node))
      report(
        at,
        say`"${node}" is a text here, not the value.`,
        say`Write { "var": "${node}" }; where the text itself is meant, { "cat": ["${node}"] }.`,
      );
    if (Array.isArray(node))
      node.forEach((part: Json, index) => {
        see(part, `${at}/${index}`, { ...place, decides: false });
      });
    else if (isObject(node))
      for (const [key, part] of Object.entries(node))
        see(part as Json, `${at}/${escapePointer(key)}`, { ...place, decides: false });
  };
  const operands = (node: { readonly [operator: string]: Json }, at: string, { decides: whole }: Place) => {
    const [operator = '', written = null] = Object.entries(node)[0] ?? [];
    const all: readonly Json[] = Array.isArray(written) ? written : [written];
    const inside = `${at}/${escapePointer(operator)}`;
    checkCount(report, at, operator, all.length);
    if (operator === 'in' && Array.isArray(all[0]) && isLogic(all[1] ?? null))
      report(
        `${inside}/0`,
        say`"in" looks for its first operand in its second one: a list is in no text.`,
        say`Write them the other way round: { "in": [{ "var": … }, [ … ]] }.`,
      );
    if (comparisons.has(operator) && all.every(isFixed) && !all.some(isName))
      report(
        at,
        say`"${operator}" compares nothing that changes: it always comes to the same.`,
        say`A text is that text here. Write { "var": "context.token" } for a value, { "var": "<fact>" } for a fact.`,
      );
    all.forEach((operand, index) => {
      if (readers.has(operator) && (typeof operand === 'string' || Array.isArray(operand))) return;
      const asked = decidesBy(operator, index, all.length);
      see(operand, Array.isArray(written) ? `${inside}/${index}` : inside, {
        decides: asked ?? whole,
        operand: true,
      });
    });
  };
  see(logic, pointer, { decides, operand: false });
}

/** Whether an operand is a condition. Returns `undefined` if the operand can be the result, and so is a condition if the operation is. */
function decidesBy(operator: string, index: number, count: number): boolean | undefined {
  if (operator === '!' || operator === '!!') return true;
  if (operator === 'and' || operator === 'or') return index < count - 1 || undefined;
  if (operator === 'if' || operator === '?:') return (index % 2 === 0 && index < count - 1) || undefined;
  return choosers.has(operator) && index === 1;
}

function isFixed(node: Json): boolean {
  return Array.isArray(node) ? node.every(isFixed) : !isLogic(node);
}

function checkCount(report: Report, at: string, operator: string, count: number): void {
  if (['and', 'or'].includes(operator) && count === 0)
    report(at, say`"${operator}" has no operands.`, say`Write what must hold, or remove it.`);
  if (['!', '!!'].includes(operator) && count !== 1)
    report(
      at,
      say`"${operator}" looks at one operand, and has ${count}.`,
      say`Put several into one: { "${operator}": [{ "or": [ … ] }] }.`,
    );
}

function noCondition(report: Report, at: string, node: Json): void {
  const what = Array.isArray(node) ? say`A list` : JSON.stringify(node);
  report(
    at,
    holds(node, {})
      ? say`${what} is no condition: it would always hold.`
      : say`${what} is no condition: it would never hold.`,
    say`Write a rule in JSON-logic, e.g. { "var": "${typeof node === 'string' && reading.test(node) ? node : 'context.token'}" }.`,
  );
}
