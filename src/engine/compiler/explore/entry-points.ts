import type { Flow } from '../../core/definition.ts';
import type { JsonObject } from '../../core/json.ts';
import { anything, type Shape } from './shapes.ts';
import { unknown, Assignment, type Value } from './assignment.ts';

/** A state by whose address a flow may be opened, and what is known then. */
interface EntryPoint {
  readonly name: string;
  readonly assignment: Assignment;
  /** The page is loaded again, so that kept variables may be there. */
  readonly isReload: boolean;
}

/** Every address of a flow, opened afresh and, where variables are kept, loaded again. */
export function findEntryPoints(
  { initial, states, context = {} }: Flow,
  factShapes: Readonly<Record<string, JsonObject>>,
): readonly EntryPoint[] {
  const entries = Object.entries(context);
  const facts = Object.fromEntries(
    Object.entries(factShapes).map(([root, schema]) => [root, { schema, optional: true }]),
  );
  const begin = (isReload: boolean) =>
    new Assignment(
      new Map(
        entries.map(([name, { from, persist, default: first = null }]): [string, Value] => {
          const isGiven =
            from === 'query' || from === 'path' || persist === true || (isReload && persist !== undefined);
          return [name, isGiven ? unknown(`context.${name}`, from === 'path' ? given : anything) : { constant: first }];
        }),
      ),
      facts,
    );
  const isKeeping = entries.some(([, { persist }]) => persist === 'entry');
  return Object.entries(states)
    .filter(([name, { path }]) => path !== undefined || name === initial)
    .flatMap(([name]) =>
      (isKeeping ? [false, true] : [false]).map((isReload) => ({ name, assignment: begin(isReload), isReload })),
    );
}

/** The way that a state is a step of; empty where it is none. */
export function findSteps({ progress = [] }: Flow, name: string): readonly string[] {
  const way = progress.find((steps) => steps.some(({ state }) => state === name)) ?? [];
  return way.map(({ state }) => state);
}

/** Where an address amid a way leads: to the first step that asks for something. */
export function firstStep(flow: Flow, name: string, asks: (state: string) => boolean): string {
  const way = findSteps(flow, name);
  return way.slice(0, Math.max(0, way.indexOf(name))).find(asks) ?? name;
}

/** What a path of an address gives: always something. */
const given: Shape = { optional: false, schema: { type: 'object' } };
