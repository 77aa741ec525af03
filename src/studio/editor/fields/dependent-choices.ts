import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { DrawnField, StudioEdit, StudioSet } from '../../studio-data.ts';
import { valueIn } from '../pending.ts';
import { filesOf } from '../tasks/screen-tasks.ts';
import { drawnFields } from '../titles.ts';
import { writtenFields } from './field-place.ts';

/** Which choices of a field an answer to another leaves. */
export interface Dependence {
  /** The other field. */
  readonly on: string;
  /** Answers, each as JSON, by what it leaves; an answer that is not among them leaves all. */
  readonly left: Readonly<Record<string, readonly Json[]>>;
}

type Choices = DrawnField['choices'];

/** The fields whose answer the choices of another can follow: those with choices of their own, beside it. */
export function decidingFields(set: StudioSet, screen: string, own: string): readonly (readonly [string, Choices])[] {
  const written = writtenFields(set, screen);
  return Object.entries(drawnFields(set, screen)).flatMap(([name, { choices }]) => {
    const isOne = !name.includes('.') && written[name] !== undefined && written[name]['type'] !== 'array';
    return name === own || !isOne || choices.length === 0 ? [] : [[name, choices] as const];
  });
}

/** One "if" and "then" of a schema that leaves some choices of a field. */
interface Entry {
  readonly pointer: string;
  readonly on: string;
  readonly answers: readonly Json[];
  readonly left: readonly Json[];
}

/** What the choices of a field depend on; null: on nothing; undefined: on what the form cannot say. */
export function dependenceOf(set: StudioSet, screen: string, field: string): Dependence | null | undefined {
  const places = placesOf(set, screen).filter(
    ({ then }) => isObject(then['properties']) && field in then['properties'],
  );
  const entries = places.map((place) => entryOf(place, field));
  if (!entries.every((entry) => entry !== null)) return undefined;
  const [first] = entries;
  if (!first) return null;
  const all = entries.flatMap(({ answers, left }) => answers.map((answer) => [JSON.stringify(answer), left] as const));
  const isOne = entries.every(({ on }) => on === first.on) && new Set(all.map(([key]) => key)).size === all.length;
  return isOne ? { on: first.on, left: Object.fromEntries(all) } : undefined;
}

interface Conditional {
  readonly pointer: string;
  readonly condition: JsonObject;
  readonly then: JsonObject;
  /** Whether it says anything else. */
  readonly others: boolean;
}

function placesOf(set: StudioSet, screen: string): readonly Conditional[] {
  const schema = valueIn(set, filesOf(screen).schema);
  const all = isObject(schema) ? (schema as JsonObject)['allOf'] : undefined;
  const parts = Array.isArray(all) ? all.map((part: Json, index) => [`/allOf/${index}`, part] as const) : [];
  return ([['', schema], ...parts] as const).flatMap(([pointer, part]) => {
    const { if: condition, then, ...others } = isObject(part) ? (part as JsonObject) : {};
    if (!isObject(condition) || !isObject(then)) return [];
    const hasOthers = pointer === '' ? 'else' in others : Object.keys(others).length > 0;
    return { pointer, condition: condition as JsonObject, then: then as JsonObject, others: hasOthers };
  });
}

function entryOf({ pointer, condition, then, others }: Conditional, field: string): Entry | null {
  const [on, asked] = onlyProperty(condition);
  const [named, said] = onlyProperty(then);
  if (others || on === undefined || named !== field || 'required' in then) return null;
  if (JSON.stringify(condition['required']) !== JSON.stringify([on])) return null;
  const answers = asked['const'] === undefined ? asked['enum'] : [asked['const']];
  const left = (isObject(said['items']) ? (said['items'] as JsonObject) : said)['enum'];
  if (!Array.isArray(answers) || !Array.isArray(left) || Object.keys(asked).length > 1) return null;
  return { pointer, on, answers: answers as readonly Json[], left: left as readonly Json[] };
}

function onlyProperty({ properties }: JsonObject): readonly [name: string | undefined, schema: JsonObject] {
  const [[name, schema] = [undefined, {}], ...others] = isObject(properties) ? Object.entries(properties) : [];
  return others.length > 0 || !isObject(schema) ? [undefined, {}] : [name, schema as JsonObject];
}

/** What the choices of a field are to depend on. */
export interface NewDependence {
  readonly on: Dependence;
  /** Those of the field, in their order. */
  readonly choices: readonly Json[];
  /** Several of them are chosen. */
  readonly isSeveral: boolean;
}

/** The edits of a screen's schema by which the choices of a field depend on an answer; null: on nothing. */
export function dependenceEdits(
  set: StudioSet,
  screen: string,
  field: string,
  now: NewDependence | null,
): readonly StudioEdit[] {
  const own = placesOf(set, screen).flatMap((place) => entryOf(place, field) ?? []);
  const next = now ? groupsOf(now) : [];
  const same = (one: readonly Pick<Entry, 'on' | 'answers' | 'left'>[]): string =>
    JSON.stringify(one.map(({ on, answers, left }) => [on, answers, left]));
  if (same(own) === same(next)) return [];
  const all = valueIn(set, filesOf(screen).schema, '/allOf');
  const count = Array.isArray(all) ? all.length : 0;
  const listed = own.filter(({ pointer }) => pointer !== '');
  const isEmptied = listed.length === count;
  const gone = isEmptied ? (count > 0 ? ['/allOf'] : []) : listed.map(({ pointer }) => pointer).toReversed();
  const parts = next.map((entry) => partOf(entry, field, now?.isSeveral === true));
  return [
    ...own.flatMap(({ pointer }) => (pointer === '' ? [{ pointer: '/if' }, { pointer: '/then' }] : [])),
    ...gone.map((pointer) => ({ pointer })),
    ...(isEmptied && parts.length > 0
      ? [{ pointer: '/allOf', value: parts }]
      : parts.map((value) => ({ pointer: '/allOf/-', value }))),
  ];
}

/** Answers that leave the same choices stand together; those that leave all are not written. */
function groupsOf({ on: { on, left: byAnswer }, choices }: NewDependence): readonly Omit<Entry, 'pointer'>[] {
  const groups = new Map<string, { readonly answers: Json[]; readonly left: readonly Json[] }>();
  for (const [answer, offered] of Object.entries(byAnswer)) {
    const left = choices.filter((choice) => offered.includes(choice));
    if (left.length === choices.length || left.length === 0) continue; // an "enum" of nothing says nothing
    const group = groups.get(JSON.stringify(left)) ?? { answers: [], left };
    group.answers.push(JSON.parse(answer) as Json);
    groups.set(JSON.stringify(left), group);
  }
  return [...groups.values()].map((group) => ({ on, ...group }));
}

function partOf({ on, answers, left }: Omit<Entry, 'pointer'>, field: string, isSeveral: boolean): JsonObject {
  const asked: JsonObject = answers.length === 1 ? { const: answers[0] ?? null } : { enum: answers };
  const said: JsonObject = isSeveral ? { items: { enum: left } } : { enum: left };
  return { if: { properties: { [on]: asked }, required: [on] }, then: { properties: { [field]: said } } };
}
