import type { FlowDescriptions } from '../../core/definition.ts';
import { isObject } from '../../core/json.ts';
import { escapePointer } from '../../core/json-pointer.ts';
import type { GuardExpander } from './expand-guards.ts';
import type { WrittenFlow, WrittenState } from './written-flow.ts';

/** The descriptions of a flow, its states and its guards. */
export function descriptionsOf(
  { description, states, guards = {} }: WrittenFlow,
  expander: GuardExpander,
): FlowDescriptions {
  return {
    ...(description === undefined ? {} : { flow: description }),
    states: Object.fromEntries(described(states)),
    guards: Object.entries(guards).flatMap(([name, written]) =>
      isObject(written) && typeof written.description === 'string'
        ? [{ guard: expander.guard(name, `/guards/${escapePointer(name)}`), description: written.description }]
        : [],
    ),
  };
}

function described(
  states: Readonly<Record<string, WrittenState>>,
  around?: string,
): readonly (readonly [name: string, description: string])[] {
  return Object.entries(states).flatMap(([name, { description = around, states: within }]) => {
    if (within) return described(within, description);
    return description === undefined ? [] : [[name, description] as const];
  });
}
