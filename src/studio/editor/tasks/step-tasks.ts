import { isObject, type Json, type JsonObject } from '../../../engine/core/json.ts';
import type { FileChange, StudioEdit, StudioSet } from '../../studio-data.ts';
import { escapePointer, valueAt } from '../../../engine/core/json-pointer.ts';
import { leadEdits, leadsOf, type Lead } from '../edits/transition-edits.ts';
import { valueIn } from '../pending.ts';
import { flowFile, journeysOf, leadsTo, newScreen, statesOf, type NewScreen } from './flow-tasks.ts';

/** A step that is to be added. */
export interface NewStep extends NewScreen {
  /** The step that it follows. */
  readonly after: string;
  /** Pointer to the end of that step that it stands before, where that step has several; empty: the first. */
  readonly end: string;
  readonly name: string;
  /** Empty: it has no address of its own. */
  readonly path: string;
}

/**
 * A new step of a journey: its screen in both languages with a case, its state, and its place among the steps. What led from the step before
 * to the next one leads to it; behind the last step it takes over what that step does in the end, or the chosen end of several.
 */
export function addStep(set: StudioSet, flow: string, added: NewStep): readonly FileChange[] {
  const file = flowFile(flow);
  const states = statesOf(set, flow);
  const before = states.find(({ name }) => name === added.after);
  if (!before) return [];
  const progress = valueIn(set, file, '/progress');
  const journey = journeysOf(progress).find(({ steps }) => steps.includes(added.after));
  const next = journey?.steps[journey.steps.indexOf(added.after) + 1];
  const on = isObject(before.state['on']) ? (before.state['on'] as JsonObject) : {};
  const led =
    next === undefined
      ? []
      : Object.entries(on).flatMap(([event, own]) => leadsTo(next, own, `/${escapePointer(event)}`));
  const ends = endsOf(set, flow, added.after);
  const end = ends.find(({ pointer }) => pointer === added.end) ?? ends[0];
  const kept = end ? keptOf(end, Object.keys(set.flows[flow]?.context ?? {})) : {};
  const [needed] = Object.values(kept);
  const takesOver = next === undefined || led.length === 0;
  const around = states.filter(({ pointer }) => before.pointer.startsWith(`${pointer}/states/`));
  // What a state around them does is what the new one does as well, which stands in it too.
  const inherits =
    !end && takesOver && on['submit'] === undefined && around.some(({ state }) => valueAt(state, '/on/submit'));
  const { access, permissions } = before.state;
  const state: JsonObject = {
    ...(added.path !== '' && { path: added.path }),
    screen: added.screen,
    // Who may not open the step before may not open this one.
    ...(added.path !== '' && access !== undefined && { access }),
    ...(added.path !== '' && permissions !== undefined && { permissions }),
    // Whoever opens its address lacks what the step before kept.
    ...(added.path !== '' && needed !== undefined && { requires: { guard: `context.${needed}`, else: added.after } }),
    ...(!inherits && {
      on: { submit: end ? endingAs(end, kept) : takesOver ? (on['submit'] ?? { leave: '/' }) : next },
    }),
  };
  const at = journey?.steps.indexOf(added.after) ?? -1;
  const beside = valueIn(set, file, `${journey?.pointer}/${at}`);
  // It is a step for whom the one before it is.
  const entry: Json = isObject(beside) ? { ...(beside as JsonObject), state: added.name } : added.name;
  const folder = before.pointer.slice(0, before.pointer.lastIndexOf('/'));
  const names = Object.keys((valueIn(set, file, folder) ?? {}) as JsonObject); // an object of states
  const following = names[names.indexOf(added.after) + 1];
  const edits: readonly StudioEdit[] = [
    ...(end
      ? [...leadEdits(end, { target: added.name, notice: '' }), ...keepEdits(end, kept)]
      : (takesOver ? ['/submit'] : led).map((place) => ({
          pointer: `${before.pointer}/on${place}`,
          value: added.name,
        }))),
    {
      pointer: `${folder}/${escapePointer(added.name)}`,
      value: state,
      ...(following !== undefined && { before: following }),
    },
    journey
      ? { pointer: `${journey.pointer}/-`, value: entry, before: String(at + 1) }
      : { pointer: '/progress', value: [added.after, added.name], before: 'states' },
  ];
  return [{ file, base: set.files[file]?.version ?? null, edits }, ...newScreen(added, ['submit', 'back'])];
}

/** The ends of a step that is the last one, where it has several: what its buttons lead to beside its journey, other than back or on an error. */
export function endsOf(set: StudioSet, flow: string, step: string): readonly Lead[] {
  const own = statesOf(set, flow).find(({ name }) => name === step);
  const journeys = journeysOf(valueIn(set, flowFile(flow), '/progress')).filter(({ steps }) => steps.includes(step));
  if (!own || (journeys.length > 0 && journeys[0]?.steps.at(-1) !== step)) return [];
  const ends = leadsOf(set, flow).filter(({ pointer, target, leaves }) => {
    if (!pointer.startsWith(`${own.pointer}/on/`) || /\/on\/back(\/|$)|\/onError(\/|$)/.test(pointer)) return false;
    return leaves !== '' || (target !== '' && !journeys.some(({ steps }) => steps.includes(target)));
  });
  return ends.length > 1 ? ends : [];
}

/** A transition that goes where an end goes, with its notice, which is shown there. `kept`: variables by what the end reads of its moment. */
function endingAs({ value, target, notice }: Lead, kept: Kept): Json {
  if (notice === '' && target !== '') return target;
  const leave = isObject(value) ? (value as JsonObject)['leave'] : undefined;
  return { ...(notice !== '' && { notice }), ...(leave === undefined ? { target } : { leave: fromKept(leave, kept) }) };
}

/** Names of variables by the values that they keep, e.g. `next` by `result.next`. */
type Kept = Readonly<Record<string, string>>;

/** What the address of an end reads that the next step no longer has: an answer, a form, variables that the end itself assigns anew. */
function keptOf({ value }: Lead, taken: readonly string[]): Kept {
  const { leave = null, assign } = isObject(value) ? (value as JsonObject) : {};
  const passing =
    assign === undefined ? /^(?:result|error|form)(?:\.\w+)+$/ : /^(?:result|error|form|context)(?:\.\w+)+$/;
  const names = new Set(taken);
  const nameOf = (path: string): string => {
    const last = path.slice(path.lastIndexOf('.') + 1);
    let name = last;
    for (let number = 2; names.has(name); number += 1) name = `${last}${number}`;
    names.add(name);
    return name;
  };
  const paths = new Set(textsIn(leave).filter((text) => passing.test(text)));
  return Object.fromEntries([...paths].map((path) => [path, nameOf(path)]));
}

/** The branch of an end keeps what its address reads, beside what it assigns. */
function keepEdits({ pointer, value }: Lead, kept: Kept): readonly StudioEdit[] {
  if (Object.keys(kept).length === 0) return [];
  const own: JsonObject = Object.fromEntries(Object.entries(kept).map(([path, name]) => [name, path]));
  const assign = isObject(value) ? (value as JsonObject)['assign'] : undefined;
  const both = assign === undefined ? own : [...(Array.isArray(assign) ? (assign as readonly Json[]) : [assign]), own];
  return [{ pointer: `${pointer}/assign`, value: both }];
}

function textsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) || Array.isArray(value) ? Object.values(value as JsonObject).flatMap(textsIn) : [];
}

function fromKept(value: Json, kept: Kept): Json {
  if (typeof value === 'string') return Object.hasOwn(kept, value) ? `context.${kept[value]}` : value;
  if (Array.isArray(value)) return value.map((one: Json) => fromKept(one, kept));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value as JsonObject).map(([key, own]) => [key, fromKept(own, kept)]));
}
