import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';

/** The variables that a flow declares `from` the query, as an address gives them. */
export function pathVariables(flow: Flow, search: string): Values {
  const query = new URLSearchParams(search);
  const named = Object.entries(flow.context ?? {}).filter(([name, { from }]) => from === 'query' && query.has(name));
  return Object.fromEntries(named.map(([name]) => [name, query.get(name)]));
}
