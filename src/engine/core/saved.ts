import type { Flow, State } from './definition.ts';
import { isObject, pickObjects, type Values } from './json.ts';
import { savedForm } from './saved-form.ts';
import type { ScreenData } from './screen.ts';

/** Event of the notice's link that starts a resumed journey over. */
export const restartEvent = 'restart';

/** Variable with the names of the fields whose saved values were refused. */
export const droppedVariable = 'dropped';

/** A saved journey: the current step, the completed steps, their forms by state, and variables. */
export interface SavedJourney {
  readonly state: string;
  readonly done: readonly string[];
  readonly forms: Readonly<Record<string, Values>>;
  readonly variables: Values;
}

/** Reduces a journey to what its flow saves. Returns `null` if the flow saves nothing or does not have the current step. */
export function savedJourney(
  { save, progress = [], states, context = {} }: Flow,
  journey: SavedJourney,
  findScreen: (state: State) => Pick<ScreenData, 'fields' | 'ui'> | null,
): SavedJourney | null {
  const steps = progress.flat().map(({ state }) => state);
  if (!save || !steps.includes(journey.state)) return null;
  const forms = steps.flatMap((name) => {
    const screen = findScreen(states[name] ?? {});
    const values = Object.hasOwn(journey.forms, name) ? journey.forms[name] : undefined;
    return screen && values ? [[name, savedForm(screen, save, values)] as const] : [];
  });
  return {
    state: journey.state,
    done: steps.filter((name) => journey.done.includes(name)),
    forms: Object.fromEntries(forms),
    variables: savedVariables(context, journey.variables),
  };
}

export function savedVariables(context: Flow['context'] = {}, variables: Values): Values {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => Object.hasOwn(context, name) && context[name]?.saved),
  );
}

/** Parses a saved journey from a store. Returns `null` if it is malformed. */
export function readJourney(value: unknown): SavedJourney | null {
  if (!isObject(value) || typeof value.state !== 'string' || !Array.isArray(value.done)) return null;
  const { forms, variables } = value;
  if (!isObject(forms) || !isObject(variables)) return null;
  return {
    state: value.state,
    done: value.done.filter((state): state is string => typeof state === 'string'),
    forms: pickObjects(forms),
    variables,
  };
}
