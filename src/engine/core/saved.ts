import type { Flow, State } from './definition.ts';
import { isObject, objectsIn, type Values } from './json.ts';
import { savedForm } from './saved-form.ts';
import type { ScreenData } from './screen.ts';

/** The event of a notice's link by which a journey that goes on begins anew. */
export const restartEvent = 'restart';

/** The variable that names the fields whose saved values were refused. */
export const droppedVariable = 'dropped';

/** A journey as it is saved: the step that was shown, those that are done, their forms by state, and variables. */
export interface SavedJourney {
  readonly state: string;
  readonly done: readonly string[];
  readonly forms: Readonly<Record<string, Values>>;
  readonly variables: Values;
}

/** What of a journey its flow saves, of steps, fields and variables that it has; null where it saves none, or has no such step. */
export function savedJourney(
  { save, progress = [], states, context = {} }: Flow,
  journey: SavedJourney,
  screenOf: (state: State) => Pick<ScreenData, 'fields' | 'ui'> | null,
): SavedJourney | null {
  const steps = progress.flat().map(({ state }) => state);
  if (!save || !steps.includes(journey.state)) return null;
  const forms = steps.flatMap((name) => {
    const screen = screenOf(states[name] ?? {});
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

/** Those of a flow's variables that are saved. */
export function savedVariables(context: Flow['context'] = {}, variables: Values): Values {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => Object.hasOwn(context, name) && context[name]?.saved),
  );
}

/** What a store answers as a saved journey; null where it is none. */
export function readJourney(value: unknown): SavedJourney | null {
  if (!isObject(value) || typeof value.state !== 'string' || !Array.isArray(value.done)) return null;
  const { forms, variables } = value;
  if (!isObject(forms) || !isObject(variables)) return null;
  return {
    state: value.state,
    done: value.done.filter((state): state is string => typeof state === 'string'),
    forms: objectsIn(forms),
    variables,
  };
}
