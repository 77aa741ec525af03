import { isObject, type Json } from '../../../core/json.ts';
import { matchPath } from '../../../core/route.ts';

/**
 * The addresses that a `leave` names itself and that lead nowhere: neither a path of the flows nor whole. Such as are only known when the
 * flow runs, and those of another host, are the redirect check's.
 */
export function lostAddresses(leave: Json, paths: ReadonlySet<string>): readonly string[] {
  if (isObject(leave) && 'to' in leave) return 'host' in leave ? [] : lostAddresses(leave.to as Json, paths);
  return writtenIn(leave).filter(
    (address) =>
      !/^https?:\/\//.test(address) &&
      ![...paths].some((path) => matchPath(path, address.replace(/[?#].*$/, '')) !== null),
  );
}

// The texts that a rule may answer. Of a text that is put together only one whose path stands whole at its beginning.
function writtenIn(rule: Json): readonly string[] {
  if (typeof rule === 'string') return [rule];
  if (!isObject(rule)) return [];
  const [operator = '', operand = null] = Object.entries(rule as Record<string, Json>)[0] ?? [];
  const operands: readonly Json[] = Array.isArray(operand) ? operand : [operand];
  if (operator === 'or' || operator === 'and') return operands.flatMap(writtenIn);
  if (operator === 'if' || operator === '?:')
    return operands.filter((_, index) => index % 2 === 1 || index === operands.length - 1).flatMap(writtenIn);
  const [first] = operands;
  return operator === 'cat' && typeof first === 'string' && /[?#]/.test(first) ? [first] : [];
}
