import { asObject, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import { escapePointer } from '../../../engine/core/json-pointer.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { t } from '../../texts.ts';
import { buildFieldSchemaPointer, listSchemaFields } from '../fields/field-pointers.ts';
import { asListOrEmpty, asTextOrEmpty, listJsonChildren } from '../../json-values.ts';
import {
  buildFileChanges,
  buildScreenFilePaths,
  readFileList,
  readFileObject,
  readFileValue,
  readScreenUiValue,
} from '../definition-set.ts';
import { listLabelledFields } from '../titles.ts';
import { describeJsonLogic } from './describe-json-logic.ts';
import { createReorderChanges, reorderByKeys, type ReorderableList } from './reorderable-list.ts';
import { isFieldGroupSchema, buildUiPointer } from '../../../engine/core/field-path.ts';

export function listReorderableScreenLists(set: StudioDefinitions, screen: string): readonly ReorderableList[] {
  const { ui } = buildScreenFilePaths(screen);
  const sections = readFileList(set, ui, '/sections') as unknown as readonly Section[]; // the cast is safe, because the checker has validated the file against its format
  const ofSections = sections.map(({ title, fields }, index) =>
    createNameOrder(set, screen, {
      name: t('orderSection', { name: title ?? String(index + 1) }),
      fields,
      pointer: `/sections/${index}/fields`,
    }),
  );
  const holders = Object.entries(listSchemaFields(set, screen)).flatMap(([name, schema]) =>
    isFieldGroupSchema(schema) ? [name] : [],
  );
  const list = [
    ...ofSections,
    createEntryOrder(set, screen, '/sections', t('orderSections')),
    ...['', ...holders].map((holder) => createFieldOrder(set, screen, holder)),
    ...listChoiceOrders(set, screen),
    ...listEntryOrders(set, screen),
  ];
  return list.filter(({ items }) => items.length > 1);
}

interface Section {
  readonly title?: string;
  readonly fields: readonly string[];
}

/** Creates the reorderable list of fields. `before` is the prefix of their full names. */
function createNameOrder(
  set: StudioDefinitions,
  screen: string,
  { name, fields, pointer }: { readonly name: string; readonly fields: readonly string[]; readonly pointer: string },
  before = '',
  change = (keys: readonly string[]) => keys,
): ReorderableList {
  const drawnFields = listLabelledFields(set, screen);
  return {
    name,
    items: fields.map((key) => ({
      key,
      label: key === '*' ? t('orderRest') : (drawnFields[before + key]?.title ?? key),
    })),
    change: (keys) => buildFileChanges(set, buildScreenFilePaths(screen).ui, [{ pointer, value: change(keys) }]),
  };
}

/** Removes the names directly before "*" that are in the order of `rest`, because "*" stands for `rest` in this order. */
function omitRest(keys: readonly string[], rest: readonly string[]): readonly string[] {
  const end = keys.indexOf('*');
  const indexInRest = (place: number): number => rest.indexOf(keys[place] ?? '*');
  let start = end;
  let next = rest.length;
  for (let index = indexInRest(end - 1); index >= 0 && index < next; index = indexInRest(start - 1)) {
    next = index;
    start -= 1;
  }
  return keys.filter((_, place) => place < start || place >= end);
}

function createFieldOrder(set: StudioDefinitions, screen: string, holder: string): ReorderableList {
  const { ui, schema } = buildScreenFilePaths(screen);
  const pointer = `${buildUiPointer(holder)}/ui:order`;
  const at = `${buildFieldSchemaPointer(set, screen, holder)}/properties`;
  const fields = readFileObject(set, schema, at);
  const own = readFileValue(set, ui, pointer);
  const before = holder === '' ? '' : `${holder}.`;
  const name =
    holder === ''
      ? t('orderFields')
      : t('orderGroup', { name: listLabelledFields(set, screen)[holder]?.title ?? holder });
  if (Array.isArray(own)) {
    const order = own as readonly string[]; // the cast is safe, because the checker has validated the file against its format
    const rest = Object.keys(fields).filter((key) => !order.includes(key));
    const list = { name, fields: order.flatMap((key) => (key === '*' ? [...rest, key] : [key])), pointer };
    return createNameOrder(set, screen, list, before, (keys) => omitRest(keys, rest));
  }
  return {
    ...createNameOrder(set, screen, { name, fields: Object.keys(fields), pointer }, before),
    change: (keys) => buildFileChanges(set, schema, createMoves(fields, keys, at)),
  };
}

function createMoves(fields: JsonObject, keys: readonly string[], at: string): readonly JsonEdit[] {
  const now = Object.keys(fields);
  const staying = findLongestIncreasing(keys.map((key) => now.indexOf(key))).map((place) => now[place]);
  return [...keys].reverse().flatMap((key, index) => {
    if (staying.includes(key)) return [];
    const before = keys[keys.length - index];
    const pointer = `${at}/${escapePointer(key)}`;
    return [{ pointer }, { pointer, value: fields[key] ?? {}, ...(before !== undefined && { before }) }];
  });
}

function findLongestIncreasing(numbers: readonly number[]): readonly number[] {
  const best: (readonly number[])[] = [];
  for (const number of numbers) {
    const before = best.filter((rise) => (rise.at(-1) ?? number) < number);
    best.push([...before.reduce((one, other) => (other.length > one.length ? other : one), []), number]);
  }
  return best.reduce((one, other) => (other.length > one.length ? other : one), []);
}

function listChoiceOrders(set: StudioDefinitions, screen: string): readonly ReorderableList[] {
  const { schema, ui, pt } = buildScreenFilePaths(screen);
  return Object.entries(listLabelledFields(set, screen)).flatMap(([field, { title, choices }]) => {
    const own = buildFieldSchemaPointer(set, screen, field);
    const pointer = [`${own}/enum`, `${own}/items/enum`].find((place) =>
      Array.isArray(readFileValue(set, schema, place)),
    );
    if (pointer === undefined) return [];
    const names = `${buildUiPointer(field)}/ui:enumNames`;
    return {
      name: t('orderChoices', { name: title }),
      items: choices.map(([, label], index) => ({ key: String(index), label })),
      change: (keys: readonly string[]) => [
        ...createReorderChanges(set, schema, pointer, keys),
        ...[ui, pt].flatMap((file) => createReorderChanges(set, file, names, keys)),
      ],
    };
  });
}

function listEntryOrders(set: StudioDefinitions, screen: string): readonly ReorderableList[] {
  const { ui } = buildScreenFilePaths(screen);
  const parts = listJsonChildren(readFileList(set, ui, '/aside/parts'), '/aside/parts');
  const fields = Object.entries(listLabelledFields(set, screen));
  return [
    createTitleOrder(set, screen),
    createEntryOrder(set, screen, '/intro', t('orderIntro')),
    createEntryOrder(set, screen, '/actions', t('orderActions')),
    createEntryOrder(set, screen, '/links', t('orderLinks')),
    createEntryOrder(set, screen, '/aside/parts', t('orderAside')),
    ...parts.map(([, part, pointer]) =>
      createEntryOrder(set, screen, `${pointer}/links`, t('orderLinksOf', { name: findEntryText(part) })),
    ),
    ...fields.map(([name, { title }]) =>
      createEntryOrder(set, screen, `${buildUiPointer(name)}/ui:links`, t('orderLinksOf', { name: title })),
    ),
  ];
}

/** Returns the reorderable list of conditional titles, without the unconditional title, which must stay the last one. */
function createTitleOrder(set: StudioDefinitions, screen: string): ReorderableList {
  const titles = asListOrEmpty(readScreenUiValue(set, screen, '/title'));
  const { items, change, ...order } = createEntryOrder(set, screen, '/title', t('orderTitles'));
  const fixed = asObject(titles.at(-1))['visible'] === undefined ? items.slice(-1) : [];
  return {
    ...order,
    items: items.slice(0, items.length - fixed.length),
    change: (keys) => change([...keys, ...fixed.map(({ key }) => key)]),
  };
}

function createEntryOrder(set: StudioDefinitions, screen: string, pointer: string, name: string): ReorderableList {
  const { ui, pt } = buildScreenFilePaths(screen);
  const entries = readFileList(set, ui, pointer);
  const names = { fields: listLabelledFields(set, screen) };
  return {
    name,
    items: entries.map((entry, index) => {
      const { visible } = asObject(entry);
      const text = findEntryText(entry) || String(index + 1);
      const rule = visible === undefined ? '' : `, ${t('when', { rule: describeJsonLogic(visible, names) })}`;
      return { key: String(index), label: text + rule };
    }),
    change: (keys) => [
      ...createReorderChanges(set, ui, pointer, keys),
      ...createTranslationChanges(set, pt, { pointer, entries, keys }),
    ],
  };
}

function findEntryText(entry: Json): string {
  const { title, text, links } = asObject(entry);
  return asTextOrEmpty(title) || asTextOrEmpty(text) || asListOrEmpty(links).map(findEntryText).join(', ');
}

interface ReorderedList {
  readonly pointer: string;
  readonly entries: readonly Json[];
  readonly keys: readonly string[];
}

/** Reorders the translation of a list in the same way. A translation is a list, or an object of texts by `event` or `to`; in an object, only texts of the same key are reordered. */
function createTranslationChanges(set: StudioDefinitions, file: string, { pointer, entries, keys }: ReorderedList) {
  const translation = readFileValue(set, file, pointer);
  if (!isObject(translation)) return createReorderChanges(set, file, pointer, keys);
  const getName = (key: string) => {
    const { event, to } = asObject(entries[Number(key)]);
    return asTextOrEmpty(event ?? to);
  };
  const edits = listJsonChildren(translation as JsonObject, pointer).flatMap(([name, texts, at]) => {
    const sameNamed = [...entries.keys()].map(String).filter((key) => getName(key) === name);
    const value = reorderByKeys(
      asListOrEmpty(texts),
      keys.filter((key) => getName(key) === name).map((key) => String(sameNamed.indexOf(key))),
    );
    const isMoved = Array.isArray(texts) && JSON.stringify(value) !== JSON.stringify(texts);
    return isMoved ? [{ pointer: at, value }] : [];
  });
  return buildFileChanges(set, file, edits);
}
