import type { OperationFailure } from '../core/operation.ts';
import type { Notice, State, Flow } from '../core/definition.ts';
import { isObject, pickObjects, type Values } from '../core/json.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState, LoadedScreen } from './flow-services.ts';

/** A navigation of the browser: its address and history entry. */
export interface Arrival {
  readonly state: string;
  readonly search: string;
  readonly history: unknown;
  readonly params?: Values;
  /** Whether the navigation added a history entry, e.g. by a link. */
  readonly pushed?: boolean;
}

/** A visible state, with its loaded screen and open form if it has them. */
export interface View {
  readonly name: string;
  readonly state: State;
  readonly screen: LoadedScreen | null;
  readonly form: FormModel | null;
  readonly direction: 'none' | 'forward' | 'back';
  /** Whether the state's own operation is pending. Its screen is not drawn yet, because the result may lead to another state. */
  readonly pending: boolean;
}

/** View and status of a flow. Immutable: every change replaces the object. */
export interface FlowState {
  readonly context: Values;
  readonly view: View | null;
  readonly below: View | null;
  readonly notice: Notice | null;
  readonly busy: boolean;
  /** Whether the screen of a new address is loading. The previous screen must not take input any more. */
  readonly arriving: boolean;
  /** Whether the state could not be shown, e.g. because its screen did not load. */
  readonly failed: boolean;
}

export const idle = { busy: false, arriving: false, failed: false } as const;

export interface StateEntry {
  readonly replace: boolean;
  readonly variables: Values;
  readonly direction: View['direction'];
  readonly search?: string;
  /** Name of a notice to show, from the branch that was taken. */
  readonly notice?: string | undefined;
  /** History entry of an arrival. `null` if it has none of this flow, absent for other transitions. */
  readonly entry?: HistoryState | null | undefined;
  /** Whether the state differs from that of the address. */
  readonly redirected?: boolean;
  /** Failure that led to this state. Its errors are shown at the fields. */
  readonly failure?: OperationFailure;
}

/** Whether a state draws nothing. It only invokes an operation or takes a branch, and gets no history entry. */
export function isTransient({ screen, block }: State): boolean {
  return screen === undefined && block === undefined;
}

/** Returns the view to draw below the next state, or `null`. A dialog is over the current view. A transient state changes nothing. */
export function findViewBeneathModal({ view, below }: Pick<FlowState, 'view' | 'below'>, next: State): View | null {
  if (below && isTransient(next)) return below;
  if (!next.modal || !view) return null;
  return below ?? (isTransient(view.state) ? null : view);
}

/** Whether a screen waits for its state's own operation, because it may be wrong until the result is known. A block shows its own progress. */
export function waitsForOperation({ screen, block, invoke }: State): boolean {
  return invoke !== undefined && screen !== undefined && block === undefined;
}

export function findNotice(screen: LoadedScreen | null, name: string | undefined): Notice | null {
  return (name === undefined ? undefined : screen?.validator.screen.ui.notices?.[name]) ?? null;
}

/** Parses a history entry. Returns `null` if it is not an entry of this flow. */
export function readHistory(state: unknown, flow: string): HistoryState | null {
  if (!isObject(state) || state.flow !== flow || typeof state.step !== 'string' || !isObject(state.variables))
    return null;
  return {
    flow,
    step: state.step,
    variables: state.variables,
    depth: typeof state.depth === 'number' ? state.depth : 0,
    ...(Array.isArray(state.done)
      ? { done: state.done.filter((step): step is string => typeof step === 'string') }
      : {}),
    ...(isObject(state.forms) ? { forms: pickObjects(state.forms) } : {}),
    ...(typeof state.spent === 'number' ? { spent: state.spent } : {}),
    ...(typeof state.owner === 'string' ? { owner: state.owner } : {}),
  };
}

export function createInitialVariables(flow: Flow, recalled: Values): Values {
  const defaults = Object.entries(flow.context ?? {}).map(([name, variable]) => [name, variable.default ?? null]);
  return { ...Object.fromEntries(defaults), ...pickPersistent(flow, recalled) };
}

export function pickPersistent(flow: Flow, context: Values): Values {
  return Object.fromEntries(Object.entries(context).filter(([name]) => flow.context?.[name]?.persist === true));
}

export function readQueryVariables(flow: Flow, search: string): Values {
  const query = new URLSearchParams(search);
  const named = Object.entries(flow.context ?? {}).filter(([name, { from }]) => from === 'query' && query.has(name));
  return Object.fromEntries(named.map(([name]) => [name, query.get(name)]));
}

export function readPathVariables(flow: Flow, params: Values): Values {
  return Object.fromEntries(Object.entries(params).filter(([name]) => flow.context?.[name]?.from === 'path'));
}
