import type { Logic } from '../../core/definition.ts';
import { setValue } from '../../core/field-path.ts';
import { isObject } from '../../core/json.ts';
import { holds, listVariables } from '../../core/logic.ts';

/** Maximum number of variables. Each one doubles the number of cases. */
const mostVariables = 8;

/** Whether rules are mutually exclusive in every case. Proves this only for the truth of facts, since variables and form values may change. */
export function exclude(rules: readonly (Logic | undefined)[]): boolean {
  const stated = rules.filter((rule): rule is Logic => rule !== undefined);
  const names = [...new Set(stated.flatMap((rule) => listVariables(rule)))];
  if (names.length > mostVariables || !stated.every(asksForTruth) || !names.every((name) => isFact(name, names)))
    return false;
  return Array.from({ length: 2 ** names.length }, (_, bits) => {
    const facts: Record<string, unknown> = {};
    for (const [place, name] of names.entries()) setValue(facts, name, (bits & (2 ** place)) !== 0);
    return facts;
  }).every((facts) => !stated.every((rule) => holds(rule, facts)));
}

function isFact(name: string, names: readonly string[]): boolean {
  const isWithin = names.some((other) => other !== name && name.startsWith(`${other}.`));
  return !/^(form|item|context|result|error)(\.|$)/.test(name) && !isWithin;
}

/** Whether a rule consists of `var`, `and`, `or`, `!` and `!!`, so that only the truth of its variables matters. */
function asksForTruth(rule: Logic): boolean {
  if (typeof rule === 'boolean') return true;
  if (!isObject(rule)) return false;
  const [[operator, operands] = ['', null], ...more] = Object.entries(rule);
  if (more.length > 0) return false;
  if (operator === 'var') return typeof operands === 'string';
  return (
    ['and', 'or', '!', '!!'].includes(operator) && [operands].flat().every((operand) => asksForTruth(operand as Logic))
  ); // JSON
}
