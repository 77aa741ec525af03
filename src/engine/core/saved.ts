import type { Flow, Save, State, Ui } from './definition.ts';
import { isWithin, nameOfPointer, nested, valueAt } from './field-path.ts';
import { isObject, type Values } from './json.ts';
import { itemUi } from './lists.ts';
import type { FieldPlan, ScreenData } from './screen.ts';
import { uiOf } from './ui.ts';

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

/**
 * What of a form is saved: of fields that a citizen fills in. Never a secret, a file, or a field that the flow leaves out; nothing that is
 * computed or only read, which may be another one when the journey goes on; and nothing that the screen does not ask for.
 */
export function savedForm({ fields, ui }: Pick<ScreenData, 'fields' | 'ui'>, save: Save, values: Values): Values {
  const without = (save.without ?? []).map(nameOfPointer);
  const kept = fields.filter((field) => isSaved(field, ui) && !without.some((name) => isWithin(field.name, name)));
  return nested(
    kept.flatMap((field) => {
      const value = savedValue(field, ui, valueAt(values, field.name));
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

function isSaved({ name, secret, computed }: FieldPlan, ui: Ui): boolean {
  return !secret && computed === undefined && uiOf(ui, name)['ui:readonly'] !== true;
}

function savedValue(field: FieldPlan, ui: Ui, value: unknown): unknown {
  if (!field.item) return Array.isArray(value) ? value.filter(isPlain) : isPlain(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const [first] = field.item;
  if (first?.name === '') return value.filter(isPlain);
  const item = { fields: field.item, ui: itemUi(ui, field.name) };
  return value.filter(isObject).map((one) => savedForm(item, noSave, one));
}

/** Of an item nothing is left out by name. */
const noSave: Save = { days: 0, resumed: '', refused: '' };

/** A file is a text that holds its content (a data URL). */
function isPlain(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== '' && !/^\s*data:/i.test(value)
    : typeof value === 'number' || typeof value === 'boolean';
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
    forms: Object.fromEntries(
      Object.entries(forms).filter((entry): entry is [string, Record<string, unknown>] => isObject(entry[1])),
    ),
    variables,
  };
}
