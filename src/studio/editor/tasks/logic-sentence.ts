import type { Logic } from '../../../engine/core/definition.ts';
import { isLogic } from '../../../engine/core/logic.ts';
import { logicText } from '../../arrows.ts';
import { t } from '../../texts.ts';

type Labels = Readonly<Record<string, string>>;

/** A rule as a sentence that an analyst reads: labels in place of the names of fields. */
export function logicSentence(logic: Logic, labels: Labels, inner = false): string {
  if (logic === true) return t('sayAlways');
  if (logic === false) return t('sayNever');
  if (!isLogic(logic)) return valueText(logic);
  const [operator = '', operand = null] = Object.entries(logic)[0] ?? [];
  const operands: readonly Logic[] = Array.isArray(operand) ? operand : [operand];
  const [first = null, second = null] = operands;
  const say = (part: Logic) => logicSentence(part, labels, true);
  if (operator === 'and' || operator === 'or') {
    if (operands.length === 0) return t('sayNever'); // nothing is no truth, whichever way it is joined
    const text = operands.map(say).reduce((a, b) => t(operator === 'and' ? 'sayAnd' : 'sayOr', { a, b }));
    return inner && operands.length > 1 ? `(${text})` : text;
  }
  if (operator === 'var') return holds(String(first), labels, true);
  if (operator === '!!') return say(first);
  if (operator === '!') return isVar(first) ? holds(first.var, labels, false) : t('sayNot', { rule: say(first) });
  if (operands.length !== 2) return logicText(logic);
  const [a, b] = [subjectName(first, labels), subjectName(second, labels)];
  const comparison = comparisons.find((known) => known === operator.replace(/^([=!]=)=$/, '$1'));
  if (comparison) return t(`sayPair${comparison}`, { a, b });
  if (operator !== 'in') return logicText(logic);
  if (Array.isArray(second) && second.length === 0) return t('sayNever');
  return Array.isArray(second)
    ? t('sayPair==', { a, b: second.map(valueText).reduce((one, other) => t('sayOr', { a: one, b: other })) })
    : t('sayContains', { a: b, b: a });
}

const comparisons = ['==', '!=', '>', '>=', '<', '<='] as const;

/** What a rule asks for, by the name that people know: a field by its label, an option, a variable. */
export function subjectName(logic: Logic, labels: Labels): string {
  if (!isVar(logic)) return isLogic(logic) ? logicSentence(logic, labels, true) : valueText(logic);
  const [root = '', ...rest] = logic.var.split('.');
  const name = rest.join('.');
  if (root === 'form') return t('sayQuoted', { name: labels[name] ?? name });
  if (root === 'flags') return t('sayFlag', { name });
  return root === 'context' ? t('sayVariable', { name }) : logic.var;
}

function isVar(logic: Logic): logic is { readonly var: string } {
  return isLogic(logic) && Object.keys(logic)[0] === 'var' && typeof Object.values(logic)[0] === 'string';
}

function holds(path: string, labels: Labels, isSet: boolean): string {
  if (path === 'authenticated') return t(isSet ? 'saySignedIn' : 'sayGuest');
  const a = subjectName({ var: path }, labels);
  if (path.startsWith('flags.')) return t(isSet ? 'sayOn' : 'sayOff', { a });
  return t(isSet ? 'saySet' : 'sayUnset', { a });
}

function valueText(value: Logic): string {
  if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
  if (value === null) return t('sayNothing');
  return typeof value === 'string' ? t('sayQuoted', { name: value }) : JSON.stringify(value);
}
