import type { TransitionBranch, OperationInvocation, Flow, StateDefinition } from '../../core/flow-and-screen-types.ts';
import { listDirectBranches, findTransitionInvocation } from '../../core/transition.ts';
import { unknownValueShape, operationErrorShape, type ValueShape } from './value-shapes.ts';
import { SearchFrontier } from './search-frontier.ts';
import { BranchExplorer } from './branch-explorer.ts';
import { RetryLoopFinder } from './retry-loop-finder.ts';
import {
  type StateSpaceNode,
  type RaisedNotice,
  type FlowExploration,
  type FlowExplorationOptions,
  resolveEntryState,
  listFlowEntryPoints,
  listJourneyStateNames,
} from './state-space.ts';
import { findLiveVariables, ScreenIndex } from './screen-index.ts';
import { assumeAccessFacts, listGuardOutcomes, isValuePathBelow } from './evaluate-rules.ts';
import { createUnknownValue, type AbstractAssignment } from './abstract-assignment.ts';

/** Explores a flow in the execution order of the engine, breadth-first. Splits unknown values where a guard reads them. */
export function exploreFlow(flow: Flow, around: FlowExplorationOptions): FlowExploration {
  const explorer = new Explorer(flow, around);
  explorer.explore();
  return explorer;
}

type EnteredStates = readonly { readonly name: string; readonly key: string }[];

interface EntryTransition {
  readonly predecessor: StateSpaceNode | null;
  readonly transitionLabel: string;
  readonly notice?: RaisedNotice | undefined;
}

class Explorer extends BranchExplorer implements FlowExploration {
  readonly #flow: Flow;
  readonly #around: FlowExplorationOptions;
  readonly #isReadLater;
  readonly #frontier = new SearchFrontier();
  readonly #midway: { readonly name: string; readonly assignment: AbstractAssignment }[] = [];
  readonly #entered = new Map<string, 'entering' | 'entered'>();
  readonly #openedKeys = new Set<string>();
  readonly enteredStates = new Set<string>();
  readonly admittedStates = new Set<string>();
  readonly openingBranches = new Set<TransitionBranch>();
  readonly transientCycles: { node: StateSpaceNode; states: readonly string[] }[] = [];
  readonly #retryLoops = new RetryLoopFinder();
  retryLoops: FlowExploration['retryLoops'] = [];
  readonly nodesWithoutScreen: { node: StateSpaceNode; transitionLabel: string }[] = [];
  readonly operations: { node: StateSpaceNode; effect: OperationInvocation; assignment: AbstractAssignment }[] = [];
  readonly #screens: ScreenIndex;

  constructor(flow: Flow, around: FlowExplorationOptions) {
    super(flow);
    this.#flow = flow;
    this.#around = around;
    this.#screens = new ScreenIndex(around.screens);
    this.#isReadLater = findLiveVariables(flow, (state) => [
      ...this.#screens.listDependencies(state),
      ...Object.keys((state.access && around.factsByAccess?.[state.access]) || {}),
    ]);
  }

  explore(): void {
    this.#start();
    this.#run();
    if (!this.#isComplete()) this.#goBack();
    this.retryLoops = this.#retryLoops.findLoops();
  }

  get nodes(): readonly StateSpaceNode[] {
    return this.#frontier.visitedNodes;
  }

  get isCapped(): boolean {
    return this.#frontier.isCapped;
  }

  #start(): void {
    for (const { name, assignment, isReload } of listFlowEntryPoints(this.#flow, this.#around.factShapes ?? {})) {
      const first = resolveEntryState(this.#flow, name, (step) => this.#screens.hasFields(this.#flow.states[step]));
      if (!isReload) this.#enter(first, assignment, { predecessor: null, transitionLabel: '' });
      // deferred to `#goBack`, because a reload at a later step is only possible with saved forms
      else if (first === name) this.#enter(name, assignment, { predecessor: null, transitionLabel: 'reload' });
      else this.#midway.push({ name, assignment });
    }
  }

  #run(): void {
    for (let node = this.#frontier.next(); node; node = this.#frontier.next()) {
      const state = this.#flow.states[node.state];
      if (!state) continue;
      if (!node.isOperationDone && state.invoke) this.#call(node, state.invoke, '', node.assignment);
      else this.#use(node, state);
    }
  }

  #isComplete(): boolean {
    return (
      Object.keys(this.#flow.states).every((name) => this.admittedStates.has(name)) &&
      this.candidateBranches.size === this.taken.size &&
      [...this.taken.keys()].every((branch) => branch.target === undefined || this.openingBranches.has(branch))
    );
  }

  // Models the browser's back button, to reach states and branches that no other path reaches. Enters each visited state that renders something, with all assignments joined: variables whose values differ become unknown.
  #goBack(): void {
    const [first, ...rest] = this.#frontier.visitedNodes.filter(({ state }) => !this.#isTransient(state));
    if (!first) return;
    const assignment = rest.reduce(
      (joined, node) => joined.joinWith(this.#whole(node.assignment)),
      this.#whole(first.assignment),
    );
    const predecessor = { ...first, assignment, isOverApproximated: true };
    for (const { name, assignment: kept } of this.#midway)
      this.#enter(name, kept, { predecessor: { ...predecessor, assignment: kept }, transitionLabel: 'reload' });
    for (const name of new Set([first, ...rest].map(({ state }) => state)))
      this.#enter(name, assignment, { predecessor, transitionLabel: 'back' });
    this.#run();
  }

  // Gives unknown values to the variables that were dropped because no later rule reads them.
  #whole(assignment: AbstractAssignment): AbstractAssignment {
    const forgotten = Object.keys(this.#flow.context ?? {}).filter((name) => !assignment.variables.has(name));
    return assignment.assignVariables(forgotten.map((name) => [name, createUnknownValue(`context.${name}`)] as const));
  }

  #isTransient(name: string): boolean {
    const { screen, block } = this.#flow.states[name] ?? {};
    return screen === undefined && block === undefined;
  }

  #enter(name: string, given: AbstractAssignment, entry: EntryTransition, trail: EnteredStates = []): string {
    const state = this.#flow.states[name];
    if (!state) return '';
    this.enteredStates.add(name);
    const assignment = this.#settled(name, given);
    const { predecessor, notice } = entry;
    const node = this.#createNode(name, assignment, entry, false);
    const key = [name, notice?.name ?? '', node.isOverApproximated, assignment.key].join('|');
    const from = trail.at(-1)?.key ?? (predecessor?.isOperationDone === false ? predecessor.key : undefined);
    if (from !== undefined) this.#retryLoops.addTransition(from, key, name);
    const known = this.#entered.get(key);
    if (known === 'entering') {
      const states = trail.map((step) => step.name);
      this.transientCycles.push({ node, states: states.slice(states.lastIndexOf(name)) });
      this.#openedKeys.add(key);
    }
    if (known) return key;
    this.#entered.set(key, 'entering');
    this.#pass(name, state, assignment, entry, [...trail, { name, key }]);
    this.#entered.set(key, 'entered');
    return key;
  }

  #createNode(
    state: string,
    assignment: AbstractAssignment,
    { predecessor, transitionLabel }: EntryTransition,
    open: boolean,
  ): StateSpaceNode {
    return {
      state,
      assignment,
      isOperationDone: open,
      isOverApproximated: predecessor?.isOverApproximated ?? false,
      predecessor,
      transitionLabel,
    };
  }

  #pass(
    name: string,
    state: StateDefinition,
    assignment: AbstractAssignment,
    entry: EntryTransition,
    trail: EnteredStates,
  ): void {
    const admitted = assumeAccessFacts(state, this.#around, assignment);
    if (!admitted) return; // the user has no access, so the portal shows another page
    for (const fork of listGuardOutcomes(state.requires?.guard, admitted)) {
      if (!fork.holds) {
        this.#enter(state.requires?.else ?? '', fork.assignment, entry, trail);
        continue;
      }
      this.admittedStates.add(name);
      if (this.#isTransient(name)) this.#openedKeys.add(trail.at(-1)?.key ?? '');
      const inside = this.#isSignedIn(fork.assignment) ? fork.assignment.asSignedIn() : fork.assignment;
      const node = this.#createNode(name, inside, entry, false);
      this.followBranches(state.always ?? [], inside, node, (branch, now, target) => {
        const next = branch?.notice === undefined ? entry : { ...entry, notice: { branch, name: branch.notice } };
        if (branch?.leave !== undefined) return;
        if (target !== undefined) this.#recordOpening(branch, this.#enter(target, now, next, trail));
        else {
          this.#openedKeys.add(trail.at(-1)?.key ?? '');
          const key = this.#arrive(name, now, next);
          // a state without `invoke` waits for the user, so it is not part of a retry loop
          if (state.invoke) this.#retryLoops.addTransition(trail.at(-1)?.key ?? '', key, name);
        }
      });
    }
  }

  #recordOpening(branch: TransitionBranch | null, key: string): void {
    if (branch && this.#openedKeys.has(key)) this.openingBranches.add(branch);
  }

  #isSignedIn(assignment: AbstractAssignment): boolean {
    return (this.#around.signedIn ?? []).some((fact) => assignment.isTruthy(assignment.findValueAt(fact)) === true);
  }

  #arrive(name: string, assignment: AbstractAssignment, entry: EntryTransition): string {
    const open = this.#flow.states[name]?.invoke === undefined;
    const { notice } = entry;
    const node = { ...this.#createNode(name, assignment, entry, open), ...(notice && { notice }) };
    if (open && this.#isTransient(name)) this.nodesWithoutScreen.push({ node, transitionLabel: '' });
    return this.#add(node);
  }

  #settled(name: string, assignment: AbstractAssignment): AbstractAssignment {
    return assignment.dropUnreadValues(this.#isReadLater(name));
  }

  #add(node: StateSpaceNode): string {
    return this.#frontier.add({ ...node, assignment: this.#settled(node.state, node.assignment) });
  }

  #use(node: StateSpaceNode, state: StateDefinition): void {
    const events = this.#screens.listRaisedEvents(state, node.assignment);
    for (const [event, transition] of Object.entries(state.on ?? {})) {
      if (events && !events.has(event)) continue;
      const assignment = node.assignment.replaceRoots([['form', this.#screens.resolveFormShape(state, event)]]);
      const effect = findTransitionInvocation(transition);
      if (effect) this.#call(node, effect, event, assignment);
      else
        this.followBranches(listDirectBranches(transition), assignment, node, (branch, now, target) =>
          this.#follow(node, branch, now, target, event, null),
        );
    }
    const before = this.#backOf(node.state, state);
    if (!state.on?.['back'] && before !== undefined)
      this.#enter(before, node.assignment, { predecessor: node, transitionLabel: 'back' });
  }

  #backOf(name: string, { back }: StateDefinition): string | undefined {
    if (back !== undefined) return back === 'none' || back === 'history' ? undefined : back;
    const way = listJourneyStateNames(this.#flow, name);
    return way[way.indexOf(name) - 1];
  }

  #call(node: StateSpaceNode, effect: OperationInvocation, event: string, assignment: AbstractAssignment): void {
    this.operations.push({
      node,
      effect,
      assignment: this.#isSignedIn(assignment) ? assignment.asSignedIn() : assignment,
    });
    const { changeableFacts = [], operations } = this.#around;
    const after = assignment.forgetFacts((name) => isValuePathBelow(name, changeableFacts));
    const form: readonly (readonly [string, ValueShape])[] = [...after.roots].filter(([root]) => root === 'form');
    const answer = operations[effect.src]?.answer;
    const result: ValueShape = answer ? { schema: answer, optional: false } : unknownValueShape;
    const transitionLabel = event === '' ? '' : `${event}.`;
    const follow = (
      end: 'onDone' | 'onError',
      root: readonly [string, ValueShape],
      failed: OperationInvocation | null,
    ) =>
      this.followBranches(effect[end], after.replaceRoots([...form, root]), node, (branch, now, target) =>
        this.#follow(node, branch, now, target, `${transitionLabel}${end}`, failed),
      );
    follow('onDone', ['result', result], null);
    follow('onError', ['error', operationErrorShape], effect);
  }

  #follow(
    node: StateSpaceNode,
    branch: TransitionBranch | null,
    assignment: AbstractAssignment,
    target: string | undefined,
    transitionLabel: string,
    failed: OperationInvocation | null,
  ): void {
    if (branch?.leave !== undefined) return;
    const raised = branch?.notice === undefined ? undefined : { branch, name: branch.notice };
    if (target !== undefined && target !== node.state) {
      const to = this.#enter(target, assignment, { predecessor: node, transitionLabel, notice: raised });
      this.#recordOpening(branch, to);
      if (failed && branch && !node.isOperationDone && node.key !== undefined)
        this.#retryLoops.addFailure({ from: node.key, to, node, branch });
      return;
    }
    const state = this.#flow.states[node.state];
    if (this.#isTransient(node.state)) {
      if (!failed) this.nodesWithoutScreen.push({ node, transitionLabel });
      return; // stop, because the portal shows the failure on a separate page
    }
    const waits = !node.isOperationDone && state?.block === undefined;
    if (failed && waits && !raised) return;
    if (failed?.progress && branch?.field)
      for (const step of listJourneyStateNames(this.#flow, node.state))
        if (step !== node.state) this.#enter(step, assignment, { predecessor: node, transitionLabel });
    const rest = {
      isOverApproximated: node.isOverApproximated,
      predecessor: node,
      transitionLabel,
      ...(raised && { notice: raised }),
    };
    this.#add({ state: node.state, assignment, isOperationDone: true, ...rest });
  }
}
