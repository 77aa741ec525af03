import type { Failure, Rule } from '../../src/engine/core/plugin.ts';
import type { Values } from '../../src/engine/core/json.ts';

/** Input for the only rule of a plugin. */
interface Case {
  readonly value?: unknown;
  readonly parameters: unknown;
  readonly form?: Values;
  readonly context?: Values;
}

/** The verdict of a plugin's only rule. */
export function checkBy(rules: readonly Rule[], { value, parameters, form = {}, context = {} }: Case): Failure | null {
  return only(rules).check({ value, form, context, parameters: parameters as never }); // the compiler checks parameters in the product
}

/** The fields that a plugin's only rule reads, and the one that carries its message. */
export function fieldsOf(
  rules: readonly Rule[],
  parameters: unknown,
): { reads: readonly string[]; target: string | undefined } {
  const rule = only(rules);
  return { reads: rule.reads?.(parameters as never) ?? [], target: rule.target?.(parameters as never) }; // see checkBy
}

function only(rules: readonly Rule[]): Rule {
  const [rule] = rules;
  if (!rule || rules.length > 1) throw new Error('The plugin has not one rule.');
  return rule;
}
