import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';

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
