import { Button } from '@fluentui/react-components';
import { useState, type DragEvent } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../texts.ts';
import { ChoiceField, TaskFrame } from '../controls.tsx';
import { useStudio } from '../use-studio.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { isGroup, buildSchemaPointer, buildUiPointer, listSchemaFields } from '../fields/field-pointers.ts';
import { listParts } from '../../json-parts.ts';
import {
  buildFileChanges,
  resolveScreenFiles,
  buildFlowPath,
  readList,
  readObject,
  readValue,
} from '../definition-set.ts';
import { listDrawnFields, resolveScreenTitle } from '../titles.ts';
import { listJourneys, listPointersTo, listStates, type Journey } from './flow-states.ts';

interface OrderFormProps {
  readonly orders: readonly Order[];
  readonly onDone: () => void;
}

export function OrderForm({ orders, onDone }: OrderFormProps) {
  const studio = useStudio();
  const [chosen, setChosen] = useState(orders[0]?.name ?? '');
  const [keys, setKeys] = useState<readonly string[] | null>(null);
  const order = orders.find(({ name }) => name === chosen) ?? orders[0];
  if (!order) return null;
  const now = order.items.map(({ key }) => key);
  const isMoved = keys !== null && keys.join() !== now.join();
  return (
    <TaskFrame
      title={t('order')}
      action={t('apply')}
      disabled={!isMoved || studio.busy}
      onSubmit={() => {
        if (keys) void studio.write(order.change(keys)).then((isWritten) => isWritten && onDone());
      }}
      onCancel={onDone}
    >
      <ChoiceField
        label={t('orderWhat')}
        value={order.name}
        options={orders.map(({ name }) => [name, name])}
        onChange={(name) => {
          setChosen(name);
          setKeys(null);
        }}
      />
      <p>{t('orderHow')}</p>
      <OrderList key={order.name} items={order.items} keys={keys ?? now} onChange={setKeys} />
    </TaskFrame>
  );
}

interface OrderListProps {
  readonly items: Order['items'];
  readonly keys: readonly string[];
  readonly onChange: (keys: readonly string[]) => void;
}

function OrderList({ items, keys, onChange }: OrderListProps) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [moved, setMoved] = useState<string | null>(null);
  const labels = Object.fromEntries(items.map(({ key, label }) => [key, label]));
  const move = (key: string, place: number): void => {
    if (place < 0 || place >= keys.length || keys[place] === key) return;
    setMoved(key);
    onChange(keys.filter((one) => one !== key).toSpliced(place, 0, key));
  };
  const button = (key: string, by: -1 | 1) => {
    const place = keys.indexOf(key) + by;
    return (
      <Button
        aria-label={t(by < 0 ? 'up' : 'down', { name: labels[key] ?? key })}
        aria-disabled={place < 0 || place >= keys.length || undefined} // unlike `disabled`, keeps the focus when the item reaches the end of the list
        onClick={({ currentTarget }) => {
          // Scrolls after the item has been rendered at its new position, which may be out of view.
          flushSync(() => move(key, place));
          currentTarget.scrollIntoView({ block: 'nearest' });
        }}
      >
        {by < 0 ? '↑' : '↓'}
      </Button>
    );
  };
  return (
    <>
      <ol className="studio-order">
        {keys.map((key, place) => (
          <li
            key={key}
            draggable
            data-dragged={key === dragged || undefined}
            onDragStart={({ dataTransfer }: DragEvent) => {
              dataTransfer.effectAllowed = 'move';
              dataTransfer.setData('text/plain', key); // Firefox starts a drag only if it has data
              setDragged(key);
            }}
            onDragOver={(event: DragEvent) => {
              event.preventDefault(); // allows dropping the item here
              if (dragged !== null) move(dragged, place);
            }}
            onDrop={(event: DragEvent) => event.preventDefault()}
            onDragEnd={() => setDragged(null)}
          >
            <span>{labels[key]}</span> {button(key, -1)} {button(key, 1)}
          </li>
        ))}
      </ol>
      <p role="status">
        {moved !== null &&
          t('orderMoved', { name: labels[moved] ?? moved, place: keys.indexOf(moved) + 1, count: keys.length })}
      </p>
    </>
  );
}

export interface Order {
  readonly name: string;
  readonly items: readonly { readonly key: string; readonly label: string }[];
  readonly change: (keys: readonly string[]) => readonly FileChange[];
}

/**
 * Returns the lists of a screen that can be reordered: fields of the screen, fields of each section, sections, and
 * choices of fields.
 */
export function listScreenOrders(set: StudioSet, screen: string): readonly Order[] {
  const { ui } = resolveScreenFiles(screen);
  const sections = readList(set, ui, '/sections') as unknown as readonly Section[]; // the checker has validated the file against its format
  const ofSections = sections.map(({ title, fields }, index) =>
    createListOrder(set, screen, {
      name: t('orderSection', { name: title ?? String(index + 1) }),
      fields,
      pointer: `/sections/${index}/fields`,
    }),
  );
  const holders = Object.entries(listSchemaFields(set, screen)).flatMap(([name, schema]) =>
    isGroup(schema) ? [name] : [],
  );
  const list = [
    ...ofSections,
    createSectionOrder(set, screen, sections),
    ...['', ...holders].map((holder) => createFieldOrder(set, screen, holder)),
    ...listChoiceOrders(set, screen),
  ];
  return list.filter(({ items }) => items.length > 1);
}

/**
 * Returns the steps that can be reordered in each linear journey of a flow. Excludes the last step, because its
 * transitions end the journey.
 */
export function listFlowOrders(set: StudioSet, flow: string): readonly Order[] {
  const file = buildFlowPath(flow);
  return listJourneys(readValue(set, file, '/progress')).flatMap((journey) => {
    const places = listStepPlaces(set, flow, journey);
    const moved = journey.steps.slice(0, -1);
    if (!places || moved.length < 2) return [];
    return {
      name: t('orderSteps'),
      items: moved.map((key) => {
        const screen = listStates(set, flow).find(({ name }) => name === key)?.state['screen'];
        return { key, label: typeof screen === 'string' ? resolveScreenTitle(set, screen) : key };
      }),
      change: (keys) => createStepOrderChanges(set, file, journey, [...keys, ...journey.steps.slice(-1)], places),
    };
  });
}

interface Section {
  readonly title?: string;
  readonly fields: readonly string[];
}

/**
 * Returns the order of the fields that a list in the screen's file names. `before` is the prefix that makes their names
 * complete.
 */
function createListOrder(
  set: StudioSet,
  screen: string,
  { name, fields, pointer }: { readonly name: string; readonly fields: readonly string[]; readonly pointer: string },
  before = '',
): Order {
  const drawnFields = listDrawnFields(set, screen);
  return {
    name,
    items: fields.map((key) => ({
      key,
      label: key === '*' ? t('orderRest') : (drawnFields[before + key]?.title ?? key),
    })),
    change: (keys) => buildFileChanges(set, resolveScreenFiles(screen).ui, [{ pointer, value: keys }]),
  };
}

function createFieldOrder(set: StudioSet, screen: string, holder: string): Order {
  const { ui, schema } = resolveScreenFiles(screen);
  const pointer = `${buildUiPointer(holder)}/ui:order`;
  const own = readValue(set, ui, pointer);
  const before = holder === '' ? '' : `${holder}.`;
  const name =
    holder === '' ? t('orderFields') : t('orderGroup', { name: listDrawnFields(set, screen)[holder]?.title ?? holder });
  if (Array.isArray(own))
    return createListOrder(set, screen, { name, fields: own as readonly string[], pointer }, before);
  const at = `${buildSchemaPointer(set, screen, holder)}/properties`;
  const fields = readObject(set, schema, at);
  return {
    ...createListOrder(set, screen, { name, fields: Object.keys(fields), pointer }, before),
    change: (keys) => buildFileChanges(set, schema, createMoves(fields, keys, at)),
  };
}

function createMoves(fields: JsonObject, keys: readonly string[], at: string): readonly StudioEdit[] {
  const now = Object.keys(fields);
  const staying = findLongestIncreasing(keys.map((key) => now.indexOf(key))).map((place) => now[place]);
  return keys.toReversed().flatMap((key, index) => {
    if (staying.includes(key)) return [];
    const before = keys[keys.length - index];
    const pointer = `${at}/${escapePointer(key)}`;
    return [{ pointer }, { pointer, value: fields[key] ?? {}, ...(before !== undefined && { before }) }];
  });
}

/** Returns the longest increasing subsequence. */
function findLongestIncreasing(numbers: readonly number[]): readonly number[] {
  const best: (readonly number[])[] = [];
  for (const number of numbers) {
    const before = best.filter((rise) => (rise.at(-1) ?? number) < number);
    best.push([...before.reduce((one, other) => (other.length > one.length ? other : one), []), number]);
  }
  return best.reduce((one, other) => (other.length > one.length ? other : one), []);
}

function createSectionOrder(set: StudioSet, screen: string, sections: readonly Section[]): Order {
  const { ui, pt } = resolveScreenFiles(screen);
  return {
    name: t('orderSections'),
    items: sections.map(({ title }, index) => ({ key: String(index), label: title ?? String(index + 1) })),
    change: (keys) => [ui, pt].flatMap((file) => createOrderChanges(set, file, '/sections', keys)),
  };
}

function listChoiceOrders(set: StudioSet, screen: string): readonly Order[] {
  const { schema, ui, pt } = resolveScreenFiles(screen);
  return Object.entries(listDrawnFields(set, screen)).flatMap(([field, { title, choices }]) => {
    const own = buildSchemaPointer(set, screen, field);
    const pointer = [`${own}/enum`, `${own}/items/enum`].find((place) => Array.isArray(readValue(set, schema, place)));
    if (pointer === undefined) return [];
    const names = `${buildUiPointer(field)}/ui:enumNames`;
    return {
      name: t('orderChoices', { name: title }),
      items: choices.map(([, label], index) => ({ key: String(index), label })),
      change: (keys: readonly string[]) => [
        ...createOrderChanges(set, schema, pointer, keys),
        ...[ui, pt].flatMap((file) => createOrderChanges(set, file, names, keys)),
      ],
    };
  });
}

function createOrderChanges(
  set: StudioSet,
  file: string,
  pointer: string,
  keys: readonly string[],
): readonly FileChange[] {
  const list = readList(set, file, pointer);
  if (list.length !== keys.length) return [];
  return buildFileChanges(set, file, [{ pointer, value: keys.map((key) => list[Number(key)] ?? null) }]);
}

/**
 * Returns the pointers to the transitions from each step to the next step, by step. Returns `null` if the journey is
 * not linear.
 */
function listStepPlaces(
  set: StudioSet,
  flow: string,
  { steps }: Journey,
): ReadonlyMap<string, readonly string[]> | null {
  const states = listStates(set, flow);
  const places = new Map<string, readonly string[]>();
  for (const [index, step] of steps.slice(0, -1).entries()) {
    const own = states.find(({ name }) => name === step);
    const next = steps[index + 1];
    if (!own || next === undefined) return null;
    const leads = (target: string) =>
      listParts(own.state['on'], `${own.pointer}/on`).flatMap(([, transition, at]) =>
        listPointersTo(target, transition, at),
      );
    const others = steps.slice(index + 2).some((later) => leads(later).length > 0);
    if (others || leads(next).length === 0) return null;
    places.set(step, leads(next));
  }
  return places;
}

function createStepOrderChanges(
  set: StudioSet,
  file: string,
  { pointer, steps }: Journey,
  keys: readonly string[],
  places: ReadonlyMap<string, readonly string[]>,
): readonly FileChange[] {
  const entries = readList(set, file, pointer);
  const value = keys.map((key) => entries[steps.indexOf(key)] ?? key);
  const initial = readValue(set, file, '/initial');
  const first = keys[0];
  const edits = keys.slice(0, -1).flatMap((key, index) => {
    const next = keys[index + 1];
    if (next === undefined || next === steps[steps.indexOf(key) + 1]) return [];
    return (places.get(key) ?? []).map((place) => ({ pointer: place, value: next }));
  });
  const begins = first !== undefined && initial === steps[0] && first !== steps[0];
  return buildFileChanges(set, file, [
    { pointer, value },
    ...(begins ? [{ pointer: '/initial', value: first }] : []),
    ...edits,
  ]);
}
