import type {
  AccessLevelName,
  TransitionBranch,
  OperationInvocation,
  ScreenUi,
  Flow,
} from '../../core/flow-and-screen-types.ts';
import type { JsonObject } from '../../core/json.ts';
import { AbstractAssignment, createUnknownValue, type AbstractValue } from './abstract-assignment.ts';
import { unknownValueShape, createFactShapes, type ValueShape } from './value-shapes.ts';

interface FlowEntryPoint {
  readonly name: string;
  readonly assignment: AbstractAssignment;
  /** Whether the page was reloaded, so that variables with `persist: "entry"` may have values. */
  readonly isReload: boolean;
}

/** Returns every entry point of a flow. If the flow has variables with `persist: "entry"`, also returns a reload at each entry point. */
export function listFlowEntryPoints(
  { initial, states, context = {} }: Flow,
  factShapes: Readonly<Record<string, JsonObject>>,
): readonly FlowEntryPoint[] {
  const entries = Object.entries(context);
  const facts = createFactShapes(factShapes);
  const createEntryPoint = (isReload: boolean) => {
    const variables = entries.map(([name, { from, persist, default: first = null }]): [string, AbstractValue] => {
      const isGiven = from === 'query' || from === 'path' || persist === true || (isReload && persist !== undefined);
      return [
        name,
        isGiven
          ? createUnknownValue(`context.${name}`, from === 'path' ? pathParameterShape : unknownValueShape)
          : { constant: first },
      ];
    });
    return new AbstractAssignment({ variables: new Map(variables), facts });
  };
  const isKeeping = entries.some(([, { persist }]) => persist === 'entry');
  return Object.entries(states)
    .filter(([name, { path }]) => path !== undefined || name === initial)
    .flatMap(([name]) =>
      (isKeeping ? [false, true] : [false]).map((isReload) => ({
        name,
        assignment: createEntryPoint(isReload),
        isReload,
      })),
    );
}

export function listJourneyStateNames({ progress = [] }: Flow, name: string): readonly string[] {
  const way = progress.find((steps) => steps.some(({ state }) => state === name)) ?? [];
  return way.map(({ state }) => state);
}

/** Returns the state that the URL of a step opens: the first earlier step with fields, or else the step itself. */
export function resolveEntryState(flow: Flow, name: string, asks: (state: string) => boolean): string {
  const way = listJourneyStateNames(flow, name);
  return way.slice(0, Math.max(0, way.indexOf(name))).find(asks) ?? name;
}

const pathParameterShape: ValueShape = { optional: false, schema: { type: 'object' } };

export interface FlowExplorationOptions {
  readonly screens: ReadonlyMap<string, { readonly schema: JsonObject | null; readonly ui: ScreenUi }>;
  readonly operations: Readonly<Record<string, OperationShape>>;
  /** Facts with the same value for all users with access to a state, by access level. */
  readonly factsByAccess?: Readonly<Partial<Record<AccessLevelName, Readonly<Record<string, boolean>>>>>;
  /** JSON Schemas of facts by root. Every fact may be absent. */
  readonly factShapes?: Readonly<Record<string, JsonObject>>;
  /** Facts that are true only for signed-in users. */
  readonly signedIn?: readonly string[];
  /** Roots of the facts that an operation may change, e.g. `user`. */
  readonly changeableFacts?: readonly string[];
}

export interface StateSpaceNode {
  readonly state: string;
  readonly assignment: AbstractAssignment;
  /** Whether the operation of the state has finished, so that the state is rendered and accepts input. */
  readonly isOperationDone: boolean;
  /** Whether the node is over-approximated: constraints were dropped, so the node may be unreachable. */
  readonly isOverApproximated: boolean;
  readonly notice?: RaisedNotice;
  readonly key?: string;
  readonly predecessor: StateSpaceNode | null;
  /** Cause of the transition to this node, such as `submit.onDone`, `back` or `reload`. Empty if users enter the flow at this node. */
  readonly transitionLabel: string;
}

export interface RaisedNotice {
  readonly branch: TransitionBranch;
  readonly name: string;
}

/** A retry loop: the error transition of an operation leads back to the same call. */
export interface RetryLoop {
  readonly node: StateSpaceNode;
  readonly branch: TransitionBranch;
  /** States of the loop. The first state calls the operation. */
  readonly states: readonly string[];
}

export interface FlowExploration {
  readonly nodes: readonly StateSpaceNode[];
  /** Branches that were taken, each with a node on a shortest path. */
  readonly taken: ReadonlyMap<TransitionBranch, StateSpaceNode>;
  /** Branches of all evaluated lists, whether taken or not. */
  readonly candidateBranches: ReadonlySet<TransitionBranch>;
  /** Maps a branch to the earlier branches of the same list that were taken in its place. */
  readonly takenInstead: ReadonlyMap<TransitionBranch, ReadonlySet<TransitionBranch>>;
  /** Branches whose guard was evaluated, because the earlier branches did not cover every case. */
  readonly evaluatedBranches: ReadonlySet<TransitionBranch>;
  /** States whose entry guard (`requires`) was true, including states that render nothing. */
  readonly admittedStates: ReadonlySet<string>;
  /** Branches that entered a target and stayed there, instead of being redirected. */
  readonly openingBranches: ReadonlySet<TransitionBranch>;
  /** States that were entered, even if their entry guard (`requires`) was false. */
  readonly enteredStates: ReadonlySet<string>;
  /** Endless loops through states at which the flow never stops. */
  readonly transientCycles: readonly { readonly node: StateSpaceNode; readonly states: readonly string[] }[];
  readonly retryLoops: readonly RetryLoop[];
  /** Nodes at which the flow stops without a rendered screen. */
  readonly nodesWithoutScreen: readonly { readonly node: StateSpaceNode; readonly transitionLabel: string }[];
  readonly operations: readonly {
    readonly node: StateSpaceNode;
    readonly effect: OperationInvocation;
    readonly assignment: AbstractAssignment;
  }[];
  readonly isCapped: boolean;
}

/** Formats the path to a node: `pedir submit.onDone→enviado`. */
export function formatNodePath(node: StateSpaceNode): string {
  const steps: string[] = [];
  for (let now: StateSpaceNode | null = node; now; now = now.predecessor) {
    const transitionLabel = now.transitionLabel === '' ? '' : ` ${now.transitionLabel}→`;
    if (now.predecessor?.state === now.state && now.transitionLabel === 'onDone') continue; // omit the transition after the state's own `invoke`, which stays in the same state
    steps.unshift(
      now.predecessor
        ? `${transitionLabel || '→'}${now.state}`
        : now.transitionLabel === ''
          ? now.state
          : `(${now.transitionLabel}) ${now.state}`,
    );
  }
  return steps.join('');
}

export interface OperationShape {
  readonly params: readonly string[];
  readonly query: readonly string[];
  readonly isPost: boolean;
  /** JSON Schema of the body. Absent if the body consists of the forms of `screens`. */
  readonly body?: JsonObject;
  readonly screens: readonly string[];
  /** Form fields that the operation reads. Absent if it stores every field. */
  readonly reads?: readonly string[];
  readonly answer: JsonObject;
  readonly allowsAnonymous: boolean;
  /** Permissions of which the caller needs one. */
  readonly permissions?: readonly (readonly [resource: string, action: string])[];
  /** Error codes that only this operation raises. Absent if not declared. */
  readonly errors?: readonly string[];
}
