import type { Logic, Template } from '../../core/definition.ts';
import { isWithin } from '../../core/field-path.ts';
import { logicProblems, ruleProblems, variablesOf } from '../../core/logic.ts';
import { checkLiterals } from './literals.ts';
import { guess } from '../sources/near.ts';
import { isObject } from '../../core/json.ts';
import { pointerSteps } from '../../core/json-pointer.ts';
import { reading } from '../flow/short-forms.ts';
import type { Report } from '../sources/report.ts';
import { say } from '../sources/say.ts';
import type { Localized } from '../localized.ts';

export interface Readable {
  /** `null` if the fields of the form are unknown. Any is then accepted. */
  readonly form: ReadonlySet<string> | null;
  /** Fields of the list item, read as `item.<field>`. */
  readonly item?: ReadonlySet<string>;
  readonly context: ReadonlySet<string>;
  /** E.g. `flags.ayuda` (only that path) or `user` (with all paths below it). */
  readonly facts: readonly string[];
}

/** Checks a rule that is used as a condition: operators, size, variables, and that it is not a literal. */
export function checkCondition(report: Report, pointer: string, logic: Logic, readable: Readable): void {
  checkLogic(report, pointer, logic, readable, true);
}

export function checkLogic(report: Report, pointer: string, logic: Logic, readable: Readable, decides = false): void {
  reportAll(report, pointer, logic, ruleProblems(logic));
  checkLiterals(report, pointer, logic, { facts: readable.facts, decides });
  checkVariables(report, pointer, logic, readable);
}

/** Checks a template. Objects in it that are not rules are structure. */
export function checkTemplate(report: Report, pointer: string, template: Template, readable: Readable): void {
  reportAll(report, pointer, template, logicProblems(template));
  checkLiterals(report, pointer, template, { facts: readable.facts, decides: false });
  checkVariables(report, pointer, template, readable, true);
}

function reportAll(report: Report, at: string, logic: Template, found: ReturnType<typeof logicProblems>): void {
  for (const problem of found) {
    const { pointer } = problem;
    const node = pointerSteps(pointer).reduce<unknown>((whole, step) => Reflect.get(Object(whole), step), logic);
    report(at + pointer, faultOf(problem), hintForOperator(node));
  }
}

function faultOf({ fault, what, message }: ReturnType<typeof logicProblems>[number]): Localized {
  switch (fault) {
    case 'depth':
      return say`The rule is nested deeper than ${what} levels.`;
    case 'size':
      return say`The rule has more than ${what} parts.`;
    case 'forbidden':
      return say`The operator "${what}" is not allowed.`;
    case 'unwritten':
      return say`The operator "${what}" reads what is not written out by name.`;
    case 'unknown':
      return say`Unknown operator "${what}".`;
    default:
      return say`${message}`;
  }
}

function hintForOperator(node: unknown): Localized {
  const [[name, value] = ['', null], ...more] = isObject(node) ? Object.entries(node) : [];
  if (!reading.test(name)) return say`Use the operators of JSON-logic, or an operator that a plugin brings.`;
  const rule = `{ "${Array.isArray(value) ? 'in' : '=='}": [{ "var": "${name}" }, ${JSON.stringify(value)}] }`;
  const whole = more.length === 0 ? rule : `{ "and": [${rule}, …] }`;
  return say`Write ${whole}: the short form stands in the guards of flows alone, there also in "and", "or" and "!".`;
}

function checkVariables(
  report: Report,
  pointer: string,
  logic: Template,
  readable: Readable,
  isTemplate = false,
): void {
  for (const path of variablesOf(logic)) {
    if (!isKnown(path, readable)) {
      report(
        pointer,
        say`The variable "${path}" does not exist.`,
        isTemplate ? say`${hintFor(path, readable)}${textFor(path)}` : hintFor(path, readable),
      );
    }
  }
}

function isKnown(path: string, { form, item, context, facts }: Readable): boolean {
  const [root = '', name = '', ...more] = path.split('.');
  const isField = (fields: ReadonlySet<string>) => {
    const field = [name, ...more].join('.');
    return fields.has(name) || [...fields].some((known) => isWithin(known, field) || isWithin(field, known));
  };
  if (root === 'form') return form === null || isField(form);
  if (root === 'item' && item) return isField(item);
  if (root === 'context') return context.has(name);
  return facts.some((fact) => path === fact || path.startsWith(`${fact}.`));
}

function hintFor(path: string, { form, item, context, facts }: Readable): Localized {
  const [root = '', name = ''] = path.split('.');
  if (item && (root === 'item' || root === 'form'))
    return say`${guess(name, item)}A field of a list's item is shown by its own item: ${[...item].map((field) => `item.${field}`).join(', ')}.`;
  if (root === 'form') return say`${guess(name, form ?? [])}Fields here: ${[...(form ?? [])].join(', ') || say`none`}.`;
  if (root === 'context')
    return say`${guess(name, context)}Assign it, or name it in "context". There are: ${[...context].join(', ') || say`none`}.`;
  if (root === 'result' || root === 'error')
    return say`"${root}" is what an operation answered: it is read in "${root === 'error' ? 'onError' : 'onDone'}" alone.`;
  return say`${guess(path, facts)}Known: form.<field>, context.<name>, ${facts.join(', ')}.`;
}

/** Suggests how to write a text that looks like a variable name. */
function textFor(path: string): Localized {
  return /^(?!form\.|context\.)/.test(path) && reading.test(path)
    ? say` Where a text is meant: { "cat": ["${path}"] }.`
    : say``;
}
