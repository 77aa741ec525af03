import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';

/** What a flow begins with: the defaults of its variables, and what of an earlier visit it may remember. */
export function firstVariables(flow: Flow, recalled: Values): Values {
  const defaults = Object.entries(flow.context ?? {}).map(([name, variable]) => [name, variable.default ?? null]);
  return { ...Object.fromEntries(defaults), ...persistent(flow, recalled) };
}

/** The variables that a flow declares `persist`. */
export function persistent(flow: Flow, context: Values): Values {
  return Object.fromEntries(Object.entries(context).filter(([name]) => flow.context?.[name]?.persist === true));
}
