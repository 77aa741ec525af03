import type { FlowDescriptions, Logic } from '../../core/definition.ts';
import { isObject } from '../../core/json.ts';
import { conditionOf } from './short-forms.ts';
import type { WrittenFlow, WrittenState } from './written-flow.ts';

/** The descriptions of a flow, its states and its guards. */
export function descriptionsOf({ description, states, guards = {} }: WrittenFlow): FlowDescriptions {
  return {
    ...(description === undefined ? {} : { flow: description }),
    states: Object.fromEntries(described(states)),
    guards: Object.values(guards).flatMap((written) =>
      isObject(written) && typeof written.description === 'string'
        ? [{ guard: conditionOf(written.guard as Logic), description: written.description }] // the format holds it to a guard
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
