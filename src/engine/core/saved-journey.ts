import type { Flow, StateDefinition, JourneySaveOptions } from './flow-and-screen-types.ts';
import { isObject, pickObjectValues, type ValuesByName, type JsonObject } from './json.ts';
import type { CompiledScreen, FieldSpec } from './compiled-screen.ts';
import { isFieldWithin, joinItemFieldName, parseFieldPointer, nestFieldValues, getFieldValue } from './field-path.ts';
import { readFieldUi } from './screen-ui-queries.ts';

export const restartEvent = 'restart';

/** Variable with the labels of the fields whose saved values were invalid. */
export const droppedFieldsVariable = 'dropped';

export interface SavedJourney {
  readonly state: string;
  readonly done: readonly string[];
  readonly forms: Readonly<Record<string, ValuesByName>>;
  readonly variables: ValuesByName;
}

/** Returns the part of a journey that its flow saves. Returns `null` if the flow saves nothing or does not have the current step. */
export function reduceToSavedJourney(
  { save, progress = [], states, context = {} }: Flow,
  journey: SavedJourney,
  findScreen: (state: StateDefinition) => Pick<CompiledScreen, 'fields' | 'ui'> | null,
): SavedJourney | null {
  const steps = progress.flat().map(({ state }) => state);
  if (!save || !steps.includes(journey.state)) return null;
  const forms = steps.flatMap((name) => {
    const screen = findScreen(states[name] ?? {});
    const values = Object.hasOwn(journey.forms, name) ? journey.forms[name] : undefined;
    return screen && values ? [[name, pickSavedForm(screen, save, values)] as const] : [];
  });
  return {
    state: journey.state,
    done: steps.filter((name) => journey.done.includes(name)),
    forms: Object.fromEntries(forms),
    variables: pickSavedVariables(context, journey.variables),
  };
}

export function pickSavedVariables(context: Flow['context'] = {}, variables: ValuesByName): ValuesByName {
  return Object.fromEntries(
    Object.entries(variables).filter(([name]) => Object.hasOwn(context, name) && context[name]?.saved),
  );
}

export function parseSavedJourney(value: unknown): SavedJourney | null {
  if (!isObject(value) || typeof value.state !== 'string' || !Array.isArray(value.done)) return null;
  const { forms, variables } = value;
  if (!isObject(forms) || !isObject(variables)) return null;
  return {
    state: value.state,
    done: value.done.filter((state): state is string => typeof state === 'string'),
    forms: pickObjectValues(forms),
    variables,
  };
}

/** Omits secrets, files, unknown fields, the fields in `without`, and computed and read-only values, which may differ when the journey is resumed. */
export function pickSavedForm(
  { fields, ui }: Pick<CompiledScreen, 'fields' | 'ui'>,
  { without: left = [] }: Partial<JourneySaveOptions>,
  values: ValuesByName,
): ValuesByName {
  const without = left.map(parseFieldPointer);
  const savedFields = fields.filter(({ name }) => !without.some((group) => isFieldWithin(name, group)));
  return pickSavedValues(savedFields, (name) => readFieldUi(ui, name), values);
}

function pickSavedValues(
  fields: readonly FieldSpec[],
  uiOfField: (name: string) => JsonObject,
  values: ValuesByName,
): ValuesByName {
  return nestFieldValues(
    fields.flatMap((field) => {
      const { name } = field;
      if (!isSaved(field, uiOfField(name))) return [];
      const value = pickSavedValue(field, uiOfField, getFieldValue(values, name));
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
}

function isSaved({ secret, computed }: FieldSpec, ui: JsonObject): boolean {
  return !secret && computed === undefined && ui['ui:readonly'] !== true;
}

function pickSavedValue({ name, item }: FieldSpec, uiOfField: (name: string) => JsonObject, value: unknown): unknown {
  if (!item) return Array.isArray(value) ? value.filter(isNotFile) : isNotFile(value) ? value : undefined;
  if (!Array.isArray(value)) return undefined;
  const inItem = (step: string) => uiOfField(joinItemFieldName(name, step));
  if (item[0]?.name === '')
    return value.flatMap((one: unknown) => {
      const { '': kept } = pickSavedValues(item, inItem, { '': one });
      return kept === undefined ? [] : [kept];
    });
  return value.filter(isObject).map((one) => pickSavedValues(item, inItem, one));
}

/** Whether a value is not a file. Files are data URLs. */
function isNotFile(value: unknown): boolean {
  return typeof value === 'string'
    ? value !== '' && !/^\s*data:/i.test(value)
    : typeof value === 'number' || typeof value === 'boolean';
}
