import type { RuleFailure, PluginValidationRule } from '../../src/engine/core/plugin-rule.ts';
import type { ValuesByName } from '../../src/engine/core/json.ts';

/** Input for the only rule of a plugin. */
interface Case {
  readonly value?: unknown;
  readonly parameters: unknown;
  readonly form?: ValuesByName;
  readonly context?: ValuesByName;
}

/** Validates an input with the only rule of a plugin. */
export function checkWithRule(
  rules: readonly PluginValidationRule[],
  { value, parameters, form = {}, context = {} }: Case,
): RuleFailure | null {
  return getOnlyRule(rules).check({ value, form, context, parameters: parameters as never }); // the parameters of a rule are `never` here; in the product, the compiler validates them
}

/** Returns the fields that the only rule of a plugin reads, and the field that shows its error. */
export function readRuleFields(
  rules: readonly PluginValidationRule[],
  parameters: unknown,
): { reads: readonly string[]; target: string | undefined } {
  const rule = getOnlyRule(rules);
  return { reads: rule.reads?.(parameters as never) ?? [], target: rule.target?.(parameters as never) }; // the parameters of a rule are `never` here
}

function getOnlyRule(rules: readonly PluginValidationRule[]): PluginValidationRule {
  const [rule] = rules;
  if (!rule || rules.length > 1) throw new Error('The plugin has not one rule.');
  return rule;
}
