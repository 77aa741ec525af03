import type { JsonLogic } from '../../../engine/core/flow-and-screen-types.ts';
import type { Json } from '../../../engine/core/json.ts';
import { isJsonLogicOperation } from '../../../engine/core/json-logic.ts';
import type { LabelledField } from '../../studio-api-types.ts';
import { findTextByComputedKey, getFlagTitle, t } from '../../texts.ts';
import { parseFormula, isFormula, type Formula } from '../fields/formulas.ts';
import { splitLogicOperation } from '../../json-values.ts';

export interface LogicDescriptionNames {
  readonly fields?: Readonly<Record<string, LabelledField>>;
  /** List whose items the rules call `item`. */
  readonly list?: string | null;
  readonly guards?: readonly string[];
}

export function describeJsonLogic(logic: JsonLogic, names: LogicDescriptionNames = {}): string {
  return describePart(logic, names, false);
}

function describePart(logic: JsonLogic, names: LogicDescriptionNames, inner: boolean): string {
  if (logic === true) return t('sayAlways');
  if (logic === false) return t('sayNever');
  if (!isJsonLogicOperation(logic)) return formatValue(logic);
  const [operator, operands] = splitLogicOperation(logic);
  const [first = null, second = null] = operands;
  const say = (part: JsonLogic) => describePart(part, names, true);
  if (operator === 'and' || operator === 'or') {
    if (operands.length === 0) return t('sayNever'); // "never", because an empty `and` or `or` is false
    const text = operands.map(say).reduce((a, b) => t(operator === 'and' ? 'sayAnd' : 'sayOr', { a, b }));
    return inner && operands.length > 1 ? `(${text})` : text;
  }
  if (operator === 'var') return describePresence(String(first), names, true);
  if (operator === '!!') return say(first);
  if (operator === '!')
    return isVar(first) ? describePresence(first.var, names, false) : t('sayNot', { rule: say(first) });
  const formula = parseFormula(logic);
  if (formula && operands.length > 0) return describeFormula(formula, { names, inner });
  if (operands.length !== 2) return formatLogic(logic);
  const [a, b] = [describeCompared(first, second, names), describeCompared(second, first, names)];
  const comparison = findTextByComputedKey(`sayPair${operator.replace(/^([=!]=)=$/, '$1')}`, { a, b });
  if (comparison !== undefined) return comparison;
  if (operator !== 'in') return formatLogic(logic);
  if (!Array.isArray(second)) return t('sayContains', { a: b, b: a });
  if (second.length === 0) return t('sayNever');
  const values = (second as readonly Json[]).map((value) => describeCompared(value, first, names));
  return t('sayPair==', { a, b: values.reduce((one, other) => t('sayOr', { a: one, b: other })) });
}

function describeFormula(
  { operation, operands }: Formula,
  { names, inner }: { readonly names: LogicDescriptionNames; readonly inner: boolean },
): string {
  const texts = operands.map((operand): string => {
    if (isFormula(operand)) return describeFormula(operand, { names, inner: true });
    if ('value' in operand)
      return typeof operand.value === 'number' ? String(operand.value) : formatValue(operand.value);
    const resolveFieldTitle = (name: string): string => names.fields?.[name]?.title ?? name;
    const [list = '', item] = operand.field.split('.items');
    if (item === undefined) return t('sayQuoted', { name: resolveFieldTitle(list) });
    return item === ''
      ? t('countOf', { name: resolveFieldTitle(list) })
      : t('totalOf', { name: resolveFieldTitle(operand.field), list: resolveFieldTitle(list) });
  });
  const text = texts.reduce((a, b) => t(`sayMath${operation}`, { a, b }));
  return inner && texts.length > 1 ? `(${text})` : text;
}

export function describeConditionSubject(logic: JsonLogic, names: LogicDescriptionNames = {}): string {
  if (!isVar(logic)) return isJsonLogicOperation(logic) ? describePart(logic, names, true) : formatValue(logic);
  const [root = '', ...rest] = logic.var.split('.');
  const name = rest.join('.');
  const known = findTextByComputedKey(`say-${logic.var}`);
  if (known !== undefined) return known;
  if (root === 'form' || root === 'item') return t('sayQuoted', { name: findField(logic.var, names)?.title ?? name });
  if (root === 'flags') return t('sayFlag', { name: getFlagTitle(name) });
  if (root === 'user') return t('sayOfPerson', { name: rest.at(-1) ?? root });
  if (root === 'result') return t('sayResult', { name });
  return root === 'context' ? t('sayVariable', { name }) : logic.var;
}

/** Finds the field of a variable such as `form.pais`, or `item.pais` in a list. */
function findField(path: string, { fields, list }: LogicDescriptionNames): LabelledField | undefined {
  const [root, name] = [path.slice(0, 5), path.slice(5)];
  return root === 'form.' ? fields?.[name] : root === 'item.' ? fields?.[`${list}.items.${name}`] : undefined;
}

function describeCompared(logic: JsonLogic, other: JsonLogic, names: LogicDescriptionNames): string {
  const choices = isVar(other) ? findField(other.var, names)?.choices : undefined;
  const [, label] = choices?.find(([value]) => value === logic) ?? [];
  return label === undefined ? describeConditionSubject(logic, names) : t('sayQuoted', { name: label });
}

function isVar(logic: JsonLogic): logic is { readonly var: string } {
  return isJsonLogicOperation(logic) && Object.keys(logic)[0] === 'var' && typeof Object.values(logic)[0] === 'string';
}

function describePresence(path: string, names: LogicDescriptionNames, isSet: boolean): string {
  if (path === 'authenticated') return t(isSet ? 'saySignedIn' : 'sayGuest');
  if (names.guards?.includes(path)) return t(isSet ? 'sayGuard' : 'sayNoGuard', { name: path });
  const a = describeConditionSubject({ var: path }, names);
  if (path.startsWith('flags.')) return t(isSet ? 'sayOn' : 'sayOff', { a });
  return t(isSet ? 'saySet' : 'sayUnset', { a });
}

function formatValue(value: JsonLogic): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (value === null) return t('sayNothing');
  return typeof value === 'string' ? t('sayQuoted', { name: value }) : JSON.stringify(value);
}

/** Formats a rule that cannot be described in words, for example `substr(context.next, 0, 1)`. */
function formatLogic(logic: JsonLogic, inner = false): string {
  if (!isJsonLogicOperation(logic)) return JSON.stringify(logic);
  const [operator, operands] = splitLogicOperation(logic);
  if (operator === 'var') return String(operands[0]);
  const texts = operands.map((part) => formatLogic(part, true));
  if (texts.length === 1) return /^!/.test(operator) ? `${operator}${texts[0]}` : `${operator}(${texts[0]})`;
  if (!/^(and|or|in|[=!<>+*/%-]+)$/.test(operator)) return `${operator}(${texts.join(', ')})`;
  const text = texts.join(` ${operator} `);
  return inner ? `(${text})` : text;
}
