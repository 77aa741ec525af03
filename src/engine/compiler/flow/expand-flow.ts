import type {
  TransitionBranch,
  DelayedEvent,
  OperationInvocation,
  Flow,
  FlowDescriptions,
  JsonLogic,
  StateDefinition,
  JourneyStep,
  Transition,
} from '../../core/flow-and-screen-types.ts';
import { droppedFieldsVariable } from '../../core/saved-journey.ts';
import type { ProblemReporter } from '../sources/problem-collector.ts';
import { escapePointer, findByPointer, splitPointer } from '../../core/json-pointer.ts';
import {
  type OperationInputDefaults,
  isUnconditionalBranch,
  isUnexpandedInvocation,
  type NamedFlowDefinitions,
  type UnexpandedInvocation,
  type UnexpandedFlow,
  type UnexpandedStateDefinition,
  type UnexpandedStep,
  type UnexpandedTransition,
  expandVariablePaths,
} from './unexpanded-flow-types.ts';
import {
  checkConflictingVariableLists,
  locateFlowVariable,
  buildFlowVariables,
  createBranchExpander,
  listLocatedTemplates,
} from './expand-branches.ts';
import { createNamedDefinitionLookup, createGuardExpander } from './expand-guards.ts';
import { explain } from '../sources/localized-text.ts';
import { isObject, mapValues, type Json } from '../../core/json.ts';

interface NestedState {
  readonly own: UnexpandedStateDefinition;
  readonly at: string;
  readonly made: StateDefinition;
}

/** Merges leaf states with their ancestors, as in XState. `toSourcePointer` maps `/states/<name>/…` to its location, maybe in an ancestor. */
function flattenStates(
  written: Readonly<Record<string, UnexpandedStateDefinition>>,
  make: (own: UnexpandedStateDefinition, at: string) => StateDefinition,
  report: ProblemReporter,
) {
  const leaves = new Map<string, readonly NestedState[]>(); // for each leaf state, by name: the state itself, then its ancestors, innermost first
  const visit = (
    states: Readonly<Record<string, UnexpandedStateDefinition>>,
    around: string,
    outer: readonly NestedState[],
  ): void => {
    for (const [name, own] of Object.entries(states)) {
      const at = `${around}/states/${escapePointer(name)}`;
      const layers = [{ own, at, made: make(own, at) }, ...outer];
      for (const event of Object.keys(own.on ?? {}).filter((known) => outer.some((layer) => layer.own.on?.[known])))
        report(`${at}/on/${escapePointer(event)}`)(explain`A parent state already handles "${event}".
          Remove one of them.`);
      if (own.states) visit(own.states, at, layers);
      else if (!leaves.has(name)) leaves.set(name, layers);
      else
        report(at)(explain`There are two states "${name}".
          Give each state its own name, including nested states.`);
    }
  };
  visit(written, '', []);
  return {
    leaves: [...leaves].map(
      ([name, layers]) => [name, layers.map(({ made }) => made).reduceRight(mergeWithAncestor)] as const,
    ),
    toSourcePointer: (pointer: string): string => {
      const [root, name = '', ...rest] = splitPointer(pointer);
      const layers = root === 'states' ? (leaves.get(name) ?? []) : [];
      const [key = '', event = ''] = rest;
      const layer = layers.find(({ own }) => (key === 'on' ? own.on && event in own.on : key in own)) ?? layers[0];
      return layer ? [layer.at, ...rest.map(escapePointer)].join('/') : pointer;
    },
  };
}

function mergeWithAncestor(outer: StateDefinition, own: StateDefinition): StateDefinition {
  const always = [...(own.always ?? []), ...(outer.always ?? [])];
  const on = { ...outer.on, ...own.on };
  return {
    ...outer,
    ...own,
    ...(always.length > 0 ? { always } : {}),
    ...(Object.keys(on).length > 0 ? { on } : {}),
  };
}

export interface ExpandedFlow {
  readonly flow: Flow;
  readonly pointers: ReadonlyMap<TransitionBranch | JourneyStep, string>;
  /** Pointers of the parts that a branch inherits from its group, by key. */
  readonly inheritedParts: ReadonlyMap<TransitionBranch, Readonly<Record<string, string>>>;
  readonly descriptions: FlowDescriptions;
  /** Maps a pointer `/states/<name>/…` or `/context/<name>` to its location in the file. */
  readonly toSourcePointer: (pointer: string) => string;
  /** Returns the location of a variable in a rule: the named guard that reads it, or else the rule. */
  readonly locateVariable: (pointer: string, path: string) => string;
}

interface ExpandOptions {
  readonly facts?: readonly string[] | undefined;
  readonly defaults?: Readonly<Record<string, OperationInputDefaults>> | undefined;
}

/** Default branch for unhandled errors of an event. Shows the error at its fields, or above the form. */
const showErrorBranch: TransitionBranch = { field: true };

const progressInput = 'progress';

/** First error branch of every operation. Redirects to the URL in the error's `next`. */
export const errorRedirectBranch: TransitionBranch = { guard: { var: 'error.next' }, leave: { var: 'error.next' } };

/** Resolves names and short forms. Error branches are in this order: `next`, the operation's own, those in `operations`, those of the flow. */
export function expandFlow(
  written: UnexpandedFlow,
  report: ProblemReporter,
  { facts, defaults = {} }: ExpandOptions = {},
): ExpandedFlow {
  const { id, initial, access, context, challenges, progress, save, onError } = written;
  const names = createNamedDefinitionLookup(written, report);
  const guardUses = new Map<string, string>();
  const expandGuard = createGuardExpander(names, facts, report, guardUses);
  const { pointers, inheritedParts, expand, merge } = createBranchExpander(names, expandGuard, report);

  const expandEffect = (
    own: UnexpandedInvocation,
    at: string,
    otherwise: readonly TransitionBranch[],
  ): OperationInvocation => {
    const { src } = own;
    const defaultInput = defaults[src] ?? {};
    const shared = names.find('operations', src) ?? {};
    const atShared = `/operations/${escapePointer(src)}`;
    const params = own.params ?? shared.params;
    const atParams = `${own.params === undefined ? atShared : at}/params`;
    const parts = [
      ...listLocatedTemplates(shared.input ?? [], `${atShared}/input`),
      ...listLocatedTemplates(own.input ?? [], `${at}/input`),
    ];
    const sent = parts.filter(([part]) => part !== progressInput);
    const onDone = own.onDone ?? shared.onDone;
    if (onDone === undefined)
      report(at)(explain`The operation has no "onDone".
        Add "onDone", here or once for the operation in "operations".`);
    const errors = [
      expand(own.onError ?? [], `${at}/onError`),
      expand(shared.onError ?? [], `${atShared}/onError`),
      otherwise,
    ].reduce((before, more) => (before.some(isUnconditionalBranch) ? before : [...before, ...more]));
    const namedParams = typeof params === 'string' ? (names.take('params', params, atParams) ?? {}) : params;
    const ownParams = namedParams && mapValues(namedParams, expandVariablePaths);
    return {
      src,
      ...((ownParams ?? defaultInput.params) && { params: { ...defaultInput.params, ...ownParams } }),
      ...(sent.length < parts.length && { progress: true }),
      ...(sent.length > 0 && { input: merge('inputs', sent) }),
      ...(parts.length === 0 && defaultInput.input !== undefined && { input: defaultInput.input }),
      onDone: expand(onDone ?? [], `${own.onDone === undefined ? atShared : at}/onDone`),
      onError: [...(own.followNext === false ? [] : [errorRedirectBranch]), ...errors],
    };
  };
  const expandTransition = (own: UnexpandedTransition, at: string): Transition => {
    if (isUnexpandedInvocation(own)) return expandEffect(own, at, onError === undefined ? [showErrorBranch] : ofFlow);
    const branches = expand(own, at);
    const [only] = branches;
    return branches.length === 1 && only && !Array.isArray(own) ? only : branches;
  };
  const expandTransitions = (own: Readonly<Record<string, UnexpandedTransition>>, at: string) =>
    Object.entries(own).map(
      ([event, next]) => [event, expandTransition(next, `${at}/${escapePointer(event)}`)] as const,
    );
  const state = (own: UnexpandedStateDefinition, at: string): StateDefinition => {
    const {
      description: _,
      requires,
      always,
      invoke,
      source,
      prefill,
      carry,
      on = {},
      after = {},
      states: _within,
      ...rest
    } = own;
    const events = [...expandTransitions(after, `${at}/after`), ...expandTransitions(on, `${at}/on`)];
    const [delay] = Object.keys(after);
    const delayDefinition =
      delay === undefined ? undefined : names.take('delays', delay, `${at}/after/${escapePointer(delay)}`);
    if (delay !== undefined && Object.hasOwn(on, delay))
      report(`${at}/on/${escapePointer(delay)}`)(explain`"${delay}" is also in "after".
        Remove one of them: a delay raises the event with its name.`);
    return {
      ...rest,
      ...(source && {
        source: { ...source, ...(source.params && { params: mapValues(source.params, expandVariablePaths) }) },
      }),
      ...(prefill && { prefill: mapValues(prefill, expandVariablePaths) }),
      ...(carry && { carry: mapValues(carry, expandVariablePaths) }),
      ...(requires && { requires: { ...requires, guard: expandGuard(requires.guard, `${at}/requires/guard`) } }),
      ...(always !== undefined && { always: expand(always, `${at}/always`) }),
      ...(invoke && { invoke: expandEffect(invoke, `${at}/invoke`, ofFlow) }),
      ...(events.length > 0 && { on: Object.fromEntries(events) }),
      ...(delayDefinition && delay !== undefined && { after: expandDelay(delayDefinition, delay) }),
    };
  };

  const expandStep = (own: UnexpandedStep, at: string): JourneyStep => {
    const { description: _, guard, ...rest } = typeof own === 'string' ? { state: own } : own;
    const step = { ...rest, titles: {}, ...(guard !== undefined && { guard: expandGuard(guard, `${at}/guard`) }) };
    pointers.set(step, at);
    return step;
  };
  const journey = (own: readonly UnexpandedStep[], at: string) =>
    own.map((item, index) => expandStep(item, `${at}/${index}`));
  const expandJourneys = (own: NonNullable<UnexpandedFlow['progress']>) =>
    isJourney(own)
      ? [journey(own, '/progress')]
      : Object.entries(own).map(([name, items]) => journey(items, `/progress/${escapePointer(name)}`));

  const ofFlow = expand(onError ?? [], '/onError');
  const { leaves, toSourcePointer } = flattenStates(written.states, state, report);
  const inherited = new Set<string>(); // pointers of `access` inherited from the flow
  const states = leaves.map(([name, own]) => {
    if (own.path === undefined || own.access !== undefined || access === undefined) return [name, own] as const;
    inherited.add(`/states/${escapePointer(name)}/access`);
    return [name, { access, ...own }] as const;
  });
  const counted = progress && expandJourneys(progress);
  names.reportUnused();
  const placed = new Map([...pointers].filter((entry): entry is [TransitionBranch, string] => !('state' in entry[0])));
  const variables = {
    ...buildFlowVariables(context, placed.keys()),
    ...(save ? { [droppedFieldsVariable]: { from: 'result', default: '' } as const } : {}),
  };
  checkConflictingVariableLists(context, report);
  return {
    flow: {
      id,
      initial,
      ...(Object.keys(variables).length > 0 && { context: variables }),
      ...(challenges && { challenges }),
      ...(counted && { progress: counted }),
      ...(save && { save }),
      states: Object.fromEntries(states),
    },
    pointers,
    inheritedParts,
    descriptions: collectDescriptions(written, expandGuard),
    locateVariable: (pointer, path) => {
      const within = [...guardUses].filter(([use]) => `${use}/`.startsWith(`${toSourcePointer(pointer)}/`));
      const reads = (guard: string) =>
        JSON.stringify(findByPointer(written as unknown as Json, guard)).includes(`"${path}"`);
      return within.map(([, guard]) => guard).find(reads) ?? pointer;
    },
    toSourcePointer: (pointer) => {
      if (inherited.has(pointer)) return '/access';
      return pointer.startsWith('/context/') ? locateFlowVariable(pointer, context, placed) : toSourcePointer(pointer);
    },
  };
}

function expandDelay({ description: _, at, ...time }: NamedFlowDefinitions['delays'], event: string): DelayedEvent {
  return { at: expandVariablePaths(at), ...time, event };
}

function isJourney(own: NonNullable<UnexpandedFlow['progress']>): own is readonly UnexpandedStep[] {
  return Array.isArray(own);
}

function collectDescriptions(
  { area, title, description, states, guards = {} }: UnexpandedFlow,
  expandGuard: (written: JsonLogic, at: string) => JsonLogic,
): FlowDescriptions {
  const described = Object.entries(guards).flatMap(([name, written]) =>
    isObject(written) && typeof written.description === 'string'
      ? [{ guard: expandGuard(name, `/guards/${escapePointer(name)}`), description: written.description }]
      : [],
  );
  const flow = {
    ...(area !== undefined && { area }),
    ...(title !== undefined && { title }),
    ...(description !== undefined && { flow: description }),
  };
  return { ...flow, states: Object.fromEntries(describeStates(states)), guards: described };
}

function describeStates(
  states: Readonly<Record<string, UnexpandedStateDefinition>>,
  around?: string,
): readonly (readonly [name: string, description: string])[] {
  return Object.entries(states).flatMap(([name, { description = around, states: within }]) => {
    if (within) return describeStates(within, description);
    return description === undefined ? [] : [[name, description] as const];
  });
}
