import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { isGroup, schemaPlace, uiPlace, writtenFields } from '../fields/field-place.ts';
import { partsWithin } from '../../json-parts.ts';
import { changesTo, filesOf, flowFile, listIn, objectIn, valueIn } from '../files.ts';
import { drawnFields, titleOf } from '../titles.ts';
import { journeysOf, leadsTo, statesOf, type Journey } from './flow-tasks.ts';

export interface Order {
  /** Description, e.g. "Campos de la sección «Tus datos»". */
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly label: string }[];
  /** Returns the changes for a new order of the keys. */
  readonly change: (keys: readonly string[]) => readonly FileChange[];
}

/** Returns the reorderable lists of a screen: its fields, those of each section, the sections, and the choices of fields. */
export function ordersOfScreen(set: StudioSet, screen: string): readonly Order[] {
  const { ui } = filesOf(screen);
  const sections = listIn(set, ui, '/sections') as unknown as readonly Section[]; // checked against its format
  const ofSections = sections.map(({ title, fields }, index) =>
    listed(set, screen, {
      name: t('orderSection', { name: title ?? String(index + 1) }),
      fields,
      pointer: `/sections/${index}/fields`,
    }),
  );
  const holders = Object.entries(writtenFields(set, screen)).flatMap(([name, schema]) =>
    isGroup(schema) ? [name] : [],
  );
  const list = [
    ...ofSections,
    sectionOrder(set, screen, sections),
    ...['', ...holders].map((holder) => fieldOrder(set, screen, holder)),
    ...choiceOrders(set, screen),
  ];
  return list.filter(({ items }) => items.length > 1);
}

/** Returns the reorderable steps of each linear journey of a flow. The last step keeps its place, because its transitions end the journey. */
export function ordersOfFlow(set: StudioSet, flow: string): readonly Order[] {
  const file = flowFile(flow);
  return journeysOf(valueIn(set, file, '/progress')).flatMap((journey) => {
    const places = placesOfSteps(set, flow, journey);
    const moved = journey.steps.slice(0, -1);
    if (!places || moved.length < 2) return [];
    return {
      name: t('orderSteps'),
      items: moved.map((key) => {
        const screen = statesOf(set, flow).find(({ name }) => name === key)?.state['screen'];
        return { key, label: typeof screen === 'string' ? titleOf(set, screen) : key };
      }),
      change: (keys) => stepChange(set, file, journey, [...keys, ...journey.steps.slice(-1)], places),
    };
  });
}

interface Section {
  readonly title?: string;
  readonly fields: readonly string[];
}

interface ListedFields {
  readonly name: string;
  readonly fields: readonly string[];
  /** Pointer to the list in the file of the screen. */
  readonly pointer: string;
}

function listed(set: StudioSet, screen: string, { name, fields, pointer }: ListedFields, before = ''): Order {
  const drawn = drawnFields(set, screen);
  return {
    name,
    items: fields.map((key) => ({ key, label: key === '*' ? t('orderRest') : (drawn[before + key]?.title ?? key) })),
    change: (keys) => changesTo(set, filesOf(screen).ui, [{ pointer, value: keys }]),
  };
}

function fieldOrder(set: StudioSet, screen: string, holder: string): Order {
  const { ui, schema } = filesOf(screen);
  const pointer = `${uiPlace(holder)}/ui:order`;
  const own = valueIn(set, ui, pointer);
  const before = holder === '' ? '' : `${holder}.`;
  const name =
    holder === '' ? t('orderFields') : t('orderGroup', { name: drawnFields(set, screen)[holder]?.title ?? holder });
  if (Array.isArray(own)) return listed(set, screen, { name, fields: own as readonly string[], pointer }, before);
  const at = `${schemaPlace(set, screen, holder)}/properties`;
  const fields = objectIn(set, schema, at);
  return {
    ...listed(set, screen, { name, fields: Object.keys(fields), pointer }, before),
    change: (keys) => changesTo(set, schema, movesOf(fields, keys, at)),
  };
}

/** Returns a minimal set of edits that reorder the keys of an object. `at` is its pointer. */
function movesOf(fields: JsonObject, keys: readonly string[], at: string): readonly StudioEdit[] {
  const now = Object.keys(fields);
  const staying = longestRise(keys.map((key) => now.indexOf(key))).map((place) => now[place]);
  return keys.toReversed().flatMap((key, index) => {
    if (staying.includes(key)) return [];
    const before = keys[keys.length - index];
    const pointer = `${at}/${escapePointer(key)}`;
    return [{ pointer }, { pointer, value: fields[key] ?? {}, ...(before !== undefined && { before }) }];
  });
}

/** Returns the longest increasing subsequence. */
function longestRise(numbers: readonly number[]): readonly number[] {
  const best: (readonly number[])[] = [];
  for (const number of numbers) {
    const before = best.filter((rise) => (rise.at(-1) ?? number) < number);
    best.push([...before.reduce((one, other) => (other.length > one.length ? other : one), []), number]);
  }
  return best.reduce((one, other) => (other.length > one.length ? other : one), []);
}

function sectionOrder(set: StudioSet, screen: string, sections: readonly Section[]): Order {
  const { ui, pt } = filesOf(screen);
  return {
    name: t('orderSections'),
    items: sections.map(({ title }, index) => ({ key: String(index), label: title ?? String(index + 1) })),
    change: (keys) => [ui, pt].flatMap((file) => reordered(set, file, '/sections', keys)),
  };
}

function choiceOrders(set: StudioSet, screen: string): readonly Order[] {
  const { schema, ui, pt } = filesOf(screen);
  return Object.entries(drawnFields(set, screen)).flatMap(([field, { title, choices }]) => {
    const own = schemaPlace(set, screen, field);
    const pointer = [`${own}/enum`, `${own}/items/enum`].find((place) => Array.isArray(valueIn(set, schema, place)));
    if (pointer === undefined) return [];
    const names = `${uiPlace(field)}/ui:enumNames`;
    return {
      name: t('orderChoices', { name: title }),
      items: choices.map(([, label], index) => ({ key: String(index), label })),
      change: (keys: readonly string[]) => [
        ...reordered(set, schema, pointer, keys),
        ...[ui, pt].flatMap((file) => reordered(set, file, names, keys)),
      ],
    };
  });
}

/** Puts a list into the order of its indices. A file without such a list stays. */
function reordered(set: StudioSet, file: string, pointer: string, keys: readonly string[]): readonly FileChange[] {
  const list = listIn(set, file, pointer);
  if (list.length !== keys.length) return [];
  return changesTo(set, file, [{ pointer, value: keys.map((key) => list[Number(key)] ?? null) }]);
}

/** Returns the pointers in each step that lead to the next one. Returns `null` if the journey is not linear. */
function placesOfSteps(
  set: StudioSet,
  flow: string,
  { steps }: Journey,
): ReadonlyMap<string, readonly string[]> | null {
  const states = statesOf(set, flow);
  const places = new Map<string, readonly string[]>();
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const own = states.find(({ name }) => name === step);
    const next = steps[index + 1];
    if (!own || next === undefined) return null;
    const leads = (target: string) =>
      partsWithin(own.state['on'], `${own.pointer}/on`).flatMap(([, transition, at]) =>
        leadsTo(target, transition, at),
      );
    const others = steps.slice(index + 2).some((later) => leads(later).length > 0);
    if (others || leads(next).length === 0) return null;
    places.set(step, leads(next));
  }
  return places;
}

function stepChange(
  set: StudioSet,
  file: string,
  { pointer, steps }: Journey,
  keys: readonly string[],
  places: ReadonlyMap<string, readonly string[]>,
): readonly FileChange[] {
  const entries = listIn(set, file, pointer);
  const value = keys.map((key) => entries[steps.indexOf(key)] ?? key);
  const initial = valueIn(set, file, '/initial');
  const first = keys[0];
  const edits = keys.slice(0, -1).flatMap((key, index) => {
    const next = keys[index + 1];
    if (next === undefined || next === steps[steps.indexOf(key) + 1]) return [];
    return (places.get(key) ?? []).map((place) => ({ pointer: place, value: next }));
  });
  const begins = first !== undefined && initial === steps[0] && first !== steps[0];
  return changesTo(set, file, [
    { pointer, value },
    ...(begins ? [{ pointer: '/initial', value: first }] : []),
    ...edits,
  ]);
}
