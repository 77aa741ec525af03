import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';

export function firstVariables(flow: Flow, recalled: Values): Values {
  const defaults = Object.entries(flow.context ?? {}).map(([name, variable]) => [name, variable.default ?? null]);
  return { ...Object.fromEntries(defaults), ...persistent(flow, recalled) };
}

export function persistent(flow: Flow, context: Values): Values {
  return Object.fromEntries(Object.entries(context).filter(([name]) => flow.context?.[name]?.persist === true));
}

export function queryVariables(flow: Flow, search: string): Values {
  const query = new URLSearchParams(search);
  const named = Object.entries(flow.context ?? {}).filter(([name, { from }]) => from === 'query' && query.has(name));
  return Object.fromEntries(named.map(([name]) => [name, query.get(name)]));
}

export function pathVariables(flow: Flow, params: Values): Values {
  return Object.fromEntries(Object.entries(params).filter(([name]) => flow.context?.[name]?.from === 'path'));
}
