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

/** The variables that a flow declares `from` the query, as an address gives them. */
export function queryVariables(flow: Flow, search: string): Values {
  const query = new URLSearchParams(search);
  const named = Object.entries(flow.context ?? {}).filter(([name, { from }]) => from === 'query' && query.has(name));
  return Object.fromEntries(named.map(([name]) => [name, query.get(name)]));
}

/** The variables that a flow declares `from` the path, of the parameters of an address. */
export function pathVariables(flow: Flow, params: Values): Values {
  return Object.fromEntries(Object.entries(params).filter(([name]) => flow.context?.[name]?.from === 'path'));
}
