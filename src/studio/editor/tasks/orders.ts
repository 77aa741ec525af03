import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { Json, JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { t } from '../../texts.ts';
import { isGroup, schemaPlace, uiPlace, writtenFields } from '../fields/field-place.ts';
import { valueIn } from '../pending.ts';
import { drawnFields, titleOf } from '../titles.ts';
import { flowFile, journeysOf, leadsTo, statesOf, type Journey } from './flow-tasks.ts';
import { filesOf } from './screen-tasks.ts';

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
  const read = valueIn(set, ui, '/sections');
  const sections = Array.isArray(read)
    ? (read as readonly { readonly title?: string; readonly fields: readonly string[] }[])
    : []; // checked against its format
  const ofSections = sections.map(({ title, fields }, index) =>
    listed(set, screen, {
      name: t('orderSection', { name: title ?? String(index + 1) }),
      fields,
      pointer: `/sections/${index}/fields`,
    }),
  );
  const list = [
    ...ofSections,
    sectionOrder(set, screen, sections),
    ...['', ...holdersOf(set, screen)].map((holder) => fieldOrder(set, screen, holder)),
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

function changeOf(set: StudioSet, file: string, edits: readonly StudioEdit[]): FileChange {
  return { file, base: set.files[file]?.version ?? null, edits };
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
    change: (keys) => [changeOf(set, filesOf(screen).ui, [{ pointer, value: keys }])],
  };
}

function holdersOf(set: StudioSet, screen: string): readonly string[] {
  return Object.entries(writtenFields(set, screen)).flatMap(([name, schema]) => (isGroup(schema) ? [name] : []));
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
  const fields = (valueIn(set, schema, at) ?? {}) as JsonObject; // checked against its format
  return {
    ...listed(set, screen, { name, fields: Object.keys(fields), pointer }, before),
    change: (keys) => [changeOf(set, schema, movesOf(fields, keys, at))],
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

function sectionOrder(set: StudioSet, screen: string, sections: readonly { readonly title?: string }[]): Order {
  const { ui, pt } = filesOf(screen);
  return {
    name: t('orderSections'),
    items: sections.map(({ title }, index) => ({ key: String(index), label: title ?? String(index + 1) })),
    change: (keys) =>
      listChanges(
        set,
        [
          [ui, '/sections'],
          [pt, '/sections'],
        ],
        keys,
      ),
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
      change: (keys: readonly string[]) =>
        listChanges(
          set,
          [
            [schema, pointer],
            [ui, names],
            [pt, names],
          ],
          keys,
        ),
    };
  });
}

/** Reorders lists in several files in the same way. Skips files without such a list. */
function listChanges(
  set: StudioSet,
  lists: readonly (readonly [file: string, pointer: string])[],
  keys: readonly string[],
): readonly FileChange[] {
  return lists.flatMap(([file, pointer]) => {
    const list = valueIn(set, file, pointer);
    if (!Array.isArray(list) || list.length !== keys.length) return [];
    const value = keys.map((key) => (list as readonly Json[])[Number(key)] ?? null);
    return changeOf(set, file, [{ pointer, value }]);
  });
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
      Object.entries((own.state['on'] ?? {}) as JsonObject).flatMap(([event, transition]) =>
        leadsTo(target, transition, `${own.pointer}/on/${escapePointer(event)}`),
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
  const written = valueIn(set, file, pointer);
  const entries = Array.isArray(written) ? (written as readonly Json[]) : [];
  const value = keys.map((key) => entries[steps.indexOf(key)] ?? key);
  const initial = valueIn(set, file, '/initial');
  const first = keys[0];
  const edits = keys.slice(0, -1).flatMap((key, index) => {
    const next = keys[index + 1];
    if (next === undefined || next === steps[steps.indexOf(key) + 1]) return [];
    return (places.get(key) ?? []).map((place) => ({ pointer: place, value: next }));
  });
  const begins = first !== undefined && initial === steps[0] && first !== steps[0];
  return [
    changeOf(set, file, [{ pointer, value }, ...(begins ? [{ pointer: '/initial', value: first }] : []), ...edits]),
  ];
}
