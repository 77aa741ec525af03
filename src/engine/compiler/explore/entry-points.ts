import type { Flow } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import { anything, shapeFacts, type Shape } from './shapes.ts';
import { unknown, Assignment, type Value } from './assignment.ts';

/** State whose address may open the flow, and its initial assignment. */
interface EntryPoint {
  readonly name: string;
  readonly assignment: Assignment;
  /** The page was reloaded, so `entry` variables may have values. */
  readonly isReload: boolean;
}

/** Returns every entry point of a flow, and also a reload of each if the flow has `entry` variables. */
export function findEntryPoints(
  { initial, states, context = {} }: Flow,
  factShapes: Readonly<Record<string, JsonObject>>,
): readonly EntryPoint[] {
  const entries = Object.entries(context);
  const facts = shapeFacts(factShapes);
  const begin = (isReload: boolean) => {
    const variables = entries.map(([name, { from, persist, default: first = null }]): [string, Value] => {
      const isGiven = from === 'query' || from === 'path' || persist === true || (isReload && persist !== undefined);
      return [name, isGiven ? unknown(`context.${name}`, from === 'path' ? given : anything) : { constant: first }];
    });
    return new Assignment({ variables: new Map(variables), facts });
  };
  const isKeeping = entries.some(([, { persist }]) => persist === 'entry');
  return Object.entries(states)
    .filter(([name, { path }]) => path !== undefined || name === initial)
    .flatMap(([name]) =>
      (isKeeping ? [false, true] : [false]).map((isReload) => ({ name, assignment: begin(isReload), isReload })),
    );
}

/** Returns the steps of the journey that contains a state. Empty if it is not a step. */
export function findSteps({ progress = [] }: Flow, name: string): readonly string[] {
  const way = progress.find((steps) => steps.some(({ state }) => state === name)) ?? [];
  return way.map(({ state }) => state);
}

/** Returns the state that is opened for the address of a step: the first step before it with fields, or else the step itself. */
export function resolveEntryState(flow: Flow, name: string, asks: (state: string) => boolean): string {
  const way = findSteps(flow, name);
  return way.slice(0, Math.max(0, way.indexOf(name))).find(asks) ?? name;
}

/** Shape of a path parameter, which is never empty. */
const given: Shape = { optional: false, schema: { type: 'object' } };
