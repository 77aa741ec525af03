import { pathNames } from '../../../core/route.ts';
import { escapePointer } from '../../../core/json-pointer.ts';
import type { FlowCheck } from './flow-check.ts';
import { say } from '../../sources/say.ts';

/** Checks that each parameter of a path is a variable of the flow, so that rules and operations can read it, and the other way round. */
export function checkPathVariables({ flow, report }: FlowCheck): void {
  const named = new Set<string>();
  for (const [state, { path = '' }] of Object.entries(flow.states)) {
    for (const name of pathNames(path)) {
      named.add(name);
      if (flow.context?.[name]?.from === 'path') continue;
      report(
        `/states/${escapePointer(state)}/path`,
        say`The parameter ":${name}" is no variable of the flow.`,
        say`Write "${name}" in "path" of "context".`,
      );
    }
  }
  for (const [name, { from }] of Object.entries(flow.context ?? {})) {
    if (from === 'path' && !named.has(name))
      report(
        `/context/${escapePointer(name)}`,
        say`No path has the parameter ":${name}".`,
        say`Add it to a path, or remove the variable.`,
      );
  }
}
