import { joinItemFieldName, joinFieldName } from '../../../engine/core/field-path.ts';
import { asObject, groupBy, isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { JsonEdit, StudioDefinitions } from '../../studio-api-types.ts';
import { disambiguateLabels, listLabelledFields } from '../titles.ts';
import { getParentFieldName, findEnclosingList, buildFieldSchemaPointer, listSchemaFields } from './field-pointers.ts';
import { readScreenSchemaValue } from '../definition-set.ts';
import { escapePointer, findByPointer } from '../../../engine/core/json-pointer.ts';
import { asListOrEmpty } from '../../json-values.ts';

export interface ChoiceDependency {
  readonly on: string;
  /** Remaining choices by value of the other field, as JSON. A value without an entry does not restrict the choices. */
  readonly left: Readonly<Record<string, readonly Json[]>>;
}

export function listChoiceDecidingFields(set: StudioDefinitions, screen: string, own: string) {
  const schemaFields = listSchemaFields(set, screen);
  const list = findEnclosingList(set, screen, own);
  const found = Object.entries(listLabelledFields(set, screen)).filter(
    ([name, { choices }]) =>
      name !== own &&
      choices.length > 0 &&
      schemaFields[name] !== undefined &&
      schemaFields[name]['type'] !== 'array' &&
      findEnclosingList(set, screen, name) === list,
  );
  const titles = new Map(disambiguateLabels(found.map(([name, { title }]) => [name, title])));
  return found.map(([name, { choices }]) => ({ name, title: titles.get(name) ?? name, answers: choices }));
}

/** An `if` and `then` of a schema that restrict the choices of a field. */
interface DependencyEntry {
  /** JSON pointer of the object that contains the `if`. */
  readonly holder: string;
  readonly place: string;
  readonly on: string;
  readonly answers: readonly Json[];
  readonly left: readonly Json[];
}

/** Returns `null` if the choices depend on no field, `undefined` if the form cannot represent the dependency. */
export function findChoiceDependency(
  set: StudioDefinitions,
  screen: string,
  field: string,
): ChoiceDependency | null | undefined {
  const entries = listConditionals(set, screen, field)
    .filter(({ then, holder }) => {
      const steps = splitWithin(holder, field).map((step) => `/properties/${escapePointer(step)}`);
      return isObject(findByPointer(then, steps.join('')));
    })
    .map((place) => parseEntry(place, field));
  if (!entries.every((entry) => entry !== null)) return undefined;
  const [first] = entries;
  if (!first) return null;
  const all = entries.flatMap(({ answers, left }) => answers.map((answer) => [JSON.stringify(answer), left] as const));
  const isOne = entries.every(({ on }) => on === first.on) && new Set(all.map(([key]) => key)).size === all.length;
  return isOne ? { on: first.on, left: Object.fromEntries(all) } : undefined;
}

interface Conditional extends Pick<DependencyEntry, 'holder' | 'place'> {
  readonly condition: JsonObject;
  readonly then: JsonObject;
  readonly others: boolean;
}

function listConditionals(set: StudioDefinitions, screen: string, field: string): readonly Conditional[] {
  return listContainers(set, screen, field).flatMap((holder) => {
    const schema = asObject(readScreenSchemaValue(set, screen, buildFieldSchemaPointer(set, screen, holder)));
    const parts = asListOrEmpty(schema['allOf']).map((part, index) => [`/allOf/${index}`, part] as const);
    return ([['', schema], ...parts] as const).flatMap(([place, part]) => {
      const { if: condition, then, ...others } = asObject(part);
      if (!isObject(condition) || !isObject(then)) return [];
      const hasOthers = place === '' ? 'else' in others : Object.keys(others).length > 0;
      return { holder, place, condition, then, others: hasOthers };
    });
  });
}

/** Returns the groups that contain a field, innermost first. The last one is the form, or the list item that contains the field. */
function listContainers(set: StudioDefinitions, screen: string, field: string): readonly string[] {
  const list = findEnclosingList(set, screen, field);
  const end = list === null ? '' : joinItemFieldName(list, '');
  const holders = [getParentFieldName(field)];
  while (holders.at(-1) !== end) holders.push(getParentFieldName(holders.at(-1) ?? ''));
  return holders;
}

function splitWithin(holder: string, field: string): readonly string[] {
  return field.slice(holder === '' ? 0 : holder.length + 1).split('.');
}

function parseEntry({ holder, place, condition, then, others }: Conditional, field: string): DependencyEntry | null {
  const conditionLeaf = findOnlyLeaf(condition);
  const resultLeaf = findOnlyLeaf(then);
  if (others || conditionLeaf?.isRequired !== 'everywhere' || resultLeaf?.isRequired !== 'nowhere') return null;
  if (JSON.stringify(resultLeaf.steps) !== JSON.stringify(splitWithin(holder, field))) return null;
  const { schema } = conditionLeaf;
  const answers = schema['const'] === undefined ? schema['enum'] : [schema['const']];
  const { items = resultLeaf.schema } = resultLeaf.schema;
  const remainingChoices = asObject(items)['enum'];
  if (!Array.isArray(answers) || !Array.isArray(remainingChoices) || Object.keys(schema).length > 1) return null;
  const on = joinFieldName(holder, ...conditionLeaf.steps);
  return { holder, place, on, answers: answers as readonly Json[], left: remainingChoices as readonly Json[] };
}

interface Leaf {
  readonly steps: readonly string[];
  readonly schema: JsonObject;
  readonly isRequired: 'everywhere' | 'nowhere' | 'partly';
}

function findOnlyLeaf({ properties, required }: JsonObject): Leaf | null {
  const [[step, schema] = ['', null], ...others] = isObject(properties) ? Object.entries(properties) : [];
  if (others.length > 0 || !isObject(schema)) return null;
  const own =
    required === undefined ? 'nowhere' : JSON.stringify(required) === JSON.stringify([step]) ? 'everywhere' : 'partly';
  if (!isObject(schema['properties'])) return { steps: [step], schema: schema, isRequired: own };
  const inner = findOnlyLeaf(schema);
  return inner && { ...inner, steps: [step, ...inner.steps], isRequired: inner.isRequired === own ? own : 'partly' };
}

export interface NewChoiceDependency {
  readonly on: ChoiceDependency;
  readonly choices: readonly Json[];
  readonly isSeveral: boolean;
}

export function createChoiceDependencyEdits(
  set: StudioDefinitions,
  screen: string,
  field: string,
  now: NewChoiceDependency | null,
): readonly JsonEdit[] {
  const own = listEntries(set, screen, field);
  const next = now ? groupByChoices(now) : [];
  const createEntryKey = (one: readonly Pick<DependencyEntry, 'on' | 'answers' | 'left'>[]): string =>
    JSON.stringify(one.map(({ on, answers, left }) => [on, answers, left]));
  if (createEntryKey(own) === createEntryKey(next)) return [];
  const holder = listContainers(set, screen, field).find((one) => one === '' || now?.on.on.startsWith(`${one}.`)) ?? '';
  const parts = next.map((entry) => buildConditional(entry, { holder, field, isSeveral: now?.isSeveral === true }));
  const all = `${buildFieldSchemaPointer(set, screen, holder)}/allOf`;
  const removedPointers = listRemovalPointers(set, screen, own);
  const isWhole = removedPointers.includes(all) || readScreenSchemaValue(set, screen, all) === undefined;
  const removed = removedPointers
    .filter((pointer) => parts.length === 0 || pointer !== all)
    .map((pointer) => ({ pointer }));
  if (parts.length === 0) return removed;
  return [
    ...removed,
    ...(isWhole ? [{ pointer: all, value: parts }] : parts.map((value) => ({ pointer: `${all}/-`, value }))),
  ];
}

/** Returns the pointers from last to first, so that removing a value does not invalidate the remaining pointers. */
export function listChoiceDependencyPointers(set: StudioDefinitions, screen: string, fields: readonly string[]) {
  return listRemovalPointers(
    set,
    screen,
    fields.flatMap((field) => listEntries(set, screen, field)),
  );
}

function listEntries(set: StudioDefinitions, screen: string, field: string): readonly DependencyEntry[] {
  return listConditionals(set, screen, field).flatMap((place) => parseEntry(place, field) ?? []);
}

function listRemovalPointers(set: StudioDefinitions, screen: string, entries: readonly DependencyEntry[]) {
  return [...groupBy(entries, (entry) => entry.holder)].flatMap(([holder, own]) => {
    const at = buildFieldSchemaPointer(set, screen, holder);
    const all = readScreenSchemaValue(set, screen, `${at}/allOf`);
    const indices = own.flatMap(({ place }) => (place === '' ? [] : [Number(place.slice('/allOf/'.length))]));
    const isEmptied = Array.isArray(all) && indices.length === all.length;
    return [
      ...(indices.length < own.length ? [`${at}/if`, `${at}/then`] : []),
      ...(isEmptied
        ? [`${at}/allOf`]
        : indices.sort((one, other) => other - one).map((index) => `${at}/allOf/${index}`)),
    ];
  });
}

function groupByChoices({ on: { on, left: byAnswer }, choices }: NewChoiceDependency) {
  const restrictions = Object.entries(byAnswer)
    .map(([answer, offered]) => ({ answer, left: choices.filter((choice) => offered.includes(choice)) }))
    .filter(({ left }) => left.length < choices.length && left.length > 0); // omits a value that excludes no choice, and a value that excludes all, because an empty `enum` would be invalid
  return [...groupBy(restrictions, ({ left }) => JSON.stringify(left))].map(([, group]) => ({
    on,
    answers: group.map(({ answer }) => JSON.parse(answer) as Json),
    left: group[0]?.left ?? [],
  }));
}

function buildConditional(
  { on, answers, left }: Pick<DependencyEntry, 'on' | 'answers' | 'left'>,
  { holder, field, isSeveral }: { readonly holder: string; readonly field: string; readonly isSeveral: boolean },
): JsonObject {
  const conditionSchema: JsonObject = answers.length === 1 ? { const: answers[0] ?? null } : { enum: answers };
  const resultSchema: JsonObject = isSeveral ? { items: { enum: left } } : { enum: left };
  return {
    if: wrapSchema(splitWithin(holder, on), conditionSchema, true),
    then: wrapSchema(splitWithin(holder, field), resultSchema, false),
  };
}

function wrapSchema(steps: readonly string[], schema: JsonObject, isRequired: boolean): JsonObject {
  return steps.reduceRight<JsonObject>(
    (inner, step) => ({ properties: { [step]: inner }, ...(isRequired && { required: [step] }) }),
    schema,
  );
}
