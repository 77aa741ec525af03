import type { Branch, Delay, Effect, Flow, Logic, State, Step, Template, Transition } from '../../core/definition.ts';
import { isObject, type JsonObject } from '../../core/json.ts';
import type { Report } from '../check/report.ts';
import { CompoundStates } from './compound-states.ts';
import { FlowNames } from './flow-names.ts';
import { escapePointer } from '../files/source-file.ts';
import {
  isUnconditional,
  isWrittenEffect,
  listOf,
  type Named,
  type NamedBranches,
  type WrittenBranch,
  type WrittenBranches,
  type WrittenEffect,
  type WrittenFlow,
  type WrittenState,
  type WrittenStep,
  type WrittenTransition,
} from './written-flow.ts';

/** A flow as it runs, and where in its file each branch and each step stands. */
export interface ExpandedFlow {
  readonly flow: Flow;
  readonly pointers: ReadonlyMap<Branch | Step, string>;
  /** Where in the file stands what is found at `/states/<name>/…`. */
  readonly placeOf: (pointer: string) => string;
}

/** The name in an `input` that stands for the forms of the way. */
export const progressInput = 'progress';

/** In the place of a guard that is not there: a condition, so that nothing else is wrong with its branch. */
const unknown: Logic = { '!': [false] };

/** What every call does first: an error whose answer names the next address leaves to it. */
export const leaveToNext: Branch = { guard: { var: 'error.next' }, leave: { var: 'error.next' } };

/**
 * Makes of a flow as written the one that runs: names are resolved, a single branch is a list of one, descriptions are gone, and each call
 * decides every error: by the address that its answer names, by its own branches, then by those of the flow.
 */
export function expandFlow(written: WrittenFlow, report: Report): ExpandedFlow {
  const { id, initial, access, context, steps, progress, onError = [] } = written;
  const names = new FlowNames(written, report);
  const pointers = new Map<Branch | Step, string>();

  const branch = ({ description: _, assign, ...own }: WrittenBranch, at: string): Branch => {
    const { guard } = own;
    const made: Branch = {
      ...own,
      ...(guard === undefined ? {} : { guard: guardOf(guard, `${at}/guard`) }),
      ...(assign === undefined ? {} : { assign: merged('assigns', assign, `${at}/assign`) as Branch['assign'] }),
    };
    pointers.set(made, at);
    return made;
  };
  const guardOf = (guard: Logic, at: string): Logic => {
    if (typeof guard !== 'string') return guard;
    const named = names.take('guards', guard, at) ?? unknown;
    return isObject(named) && 'guard' in named ? (named.guard as Logic) : named; // beside it stands its description
  };
  const paramsOf = (params: NonNullable<WrittenEffect['params']>, at: string) =>
    typeof params === 'string' ? (names.take('params', params, at) ?? {}) : params;
  // Objects under a name and written here, of which the later ones win.
  const merged = (kind: 'assigns' | 'inputs', parts: Template, at: string): Template => {
    if (!Array.isArray(parts)) return typeof parts === 'string' ? (names.take(kind, parts, at) ?? {}) : parts;
    const objects = parts.map((part: Template, index) =>
      typeof part === 'string' ? names.take(kind, part, `${at}/${index}`) : part,
    );
    return Object.assign({}, ...objects.filter(isObject)) as JsonObject; // Object.assign answers any
  };
  const one = (own: string | WrittenBranch | NamedBranches, at: string): readonly Branch[] => {
    if (typeof own === 'string') return [branch({ target: own }, at)];
    if (!isNamed(own)) return [branch(own, at)];
    const shared = names.take('branches', own.branches, `${at}/branches`);
    return shared === undefined ? [] : branches(shared, `/branches/${escapePointer(own.branches)}`);
  };
  const branches = (own: WrittenBranches, at: string): readonly Branch[] =>
    Array.isArray(own)
      ? listOf(own).flatMap((item, index) => one(item, `${at}/${index}`))
      : listOf(own).flatMap((item) => one(item, at));
  const effect = (
    { description: _, followNext, params, input, onDone, onError = [], ...own }: WrittenEffect,
    at: string,
  ): Effect => {
    const errors = branches(onError, `${at}/onError`);
    const sent = [input ?? []].flat();
    const rest = sent.length > 1 ? sent.map((part) => (part === progressInput ? {} : part)) : input;
    return {
      ...own,
      ...(params === undefined ? {} : { params: paramsOf(params, `${at}/params`) }),
      ...(sent.includes(progressInput) ? { progress: true } : {}),
      ...(rest === undefined || rest === progressInput ? {} : { input: merged('inputs', rest, `${at}/input`) }),
      onDone: branches(onDone, `${at}/onDone`),
      onError: [
        ...(followNext === false ? [] : [leaveToNext]),
        ...errors,
        ...(errors.some(isUnconditional) ? [] : ofFlow),
      ],
    };
  };
  const transition = (own: WrittenTransition, at: string): Transition => {
    if (isWrittenEffect(own)) return effect(own, at);
    const made = branches(own, at);
    const [only] = made;
    return made.length === 1 && only && !Array.isArray(own) ? only : made;
  };
  const transitions = (own: Readonly<Record<string, WrittenTransition>>, at: string) =>
    Object.entries(own).map(([event, next]) => [event, transition(next, `${at}/${escapePointer(event)}`)] as const);
  const state = (own: WrittenState, at: string): State => {
    const { description: _, requires, always, invoke, on = {}, after = {}, states: _within, ...rest } = own;
    const events = [...transitions(after, `${at}/after`), ...transitions(on, `${at}/on`)];
    const [delay] = Object.keys(after);
    const named = delay === undefined ? undefined : names.take('delays', delay, `${at}/after/${escapePointer(delay)}`);
    if (delay !== undefined && Object.hasOwn(on, delay))
      report(
        `${at}/on/${escapePointer(delay)}`,
        `"${delay}" stands in "after" as well.`,
        'Remove one of them: a delay raises the event of its name.',
      );
    return {
      ...rest,
      ...(requires ? { requires: { ...requires, guard: guardOf(requires.guard, `${at}/requires/guard`) } } : {}),
      ...(always === undefined ? {} : { always: branches(always, `${at}/always`) }),
      ...(invoke ? { invoke: effect(invoke, `${at}/invoke`) } : {}),
      ...(events.length > 0 ? { on: Object.fromEntries(events) } : {}),
      ...(named && delay !== undefined ? { after: delayOf(named, delay) } : {}),
    };
  };

  const step = (own: WrittenStep, at: string): Step => {
    const { description: _, guard, ...rest } = partsOf(own);
    const made = { ...rest, titles: {}, ...(guard === undefined ? {} : { guard: guardOf(guard, `${at}/guard`) }) };
    pointers.set(made, at);
    return made;
  };
  const way = (own: readonly WrittenStep[], at: string) => own.map((item, index) => step(item, `${at}/${index}`));
  const ways = (own: NonNullable<WrittenFlow['progress']>) =>
    isWay(own)
      ? [way(own, '/progress')]
      : Object.entries(own).map(([name, items]) => way(items, `/progress/${escapePointer(name)}`));

  const ofFlow = branches(onError, '/onError');
  const compound = new CompoundStates(written.states, state, report);
  const states = compound
    .all()
    .map(([name, own]) => [name, own.path === undefined || access === undefined ? own : { access, ...own }]);
  names.reportUnused();
  return {
    flow: {
      id,
      initial,
      ...(context ? { context } : {}),
      ...(steps ? { steps } : {}),
      ...(progress ? { progress: ways(progress) } : {}),
      states: Object.fromEntries(states) as Flow['states'], // Object.fromEntries loses the value type
    },
    pointers,
    placeOf: (pointer) => compound.placeOf(pointer),
  };
}

function delayOf({ description: _, ...time }: Named['delays'], event: string): Delay {
  return { ...time, event };
}

function partsOf(own: WrittenStep): Exclude<WrittenStep, string> {
  return typeof own === 'string' ? { state: own } : own;
}

function isWay(own: NonNullable<WrittenFlow['progress']>): own is readonly WrittenStep[] {
  return Array.isArray(own);
}

function isNamed(own: WrittenBranch | NamedBranches): own is NamedBranches {
  return 'branches' in own;
}
