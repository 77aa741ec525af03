import type { OperationFailure } from '../core/operation-result.ts';
import type { ScreenNotice, StateDefinition, Flow } from '../core/flow-and-screen-types.ts';
import { isObject, pickObjectValues, type ValuesByName } from '../core/json.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState, LoadedScreen } from './flow-services.ts';

export interface FlowArrival {
  readonly state: string;
  readonly search: string;
  readonly history: unknown;
  readonly params?: ValuesByName;
  readonly pushed?: boolean;
}

export interface FlowView {
  readonly name: string;
  readonly state: StateDefinition;
  readonly screen: LoadedScreen | null;
  readonly form: FormModel | null;
  readonly direction: 'none' | 'forward' | 'back';
  /** Whether the state's own operation is pending. If so, its screen is not rendered, because the result may select another state. */
  readonly pending: boolean;
}

/** View and status of a flow. Immutable: every change replaces the object. */
export interface RunningFlowState {
  readonly context: ValuesByName;
  readonly view: FlowView | null;
  readonly viewBelowModal: FlowView | null;
  readonly notice: ScreenNotice | null;
  readonly busy: boolean;
  /** Whether the screen of a new URL is loading. If so, the previous screen must not accept input. */
  readonly arriving: boolean;
  readonly failed: boolean;
}

export const idleFlowStatus = { busy: false, arriving: false, failed: false } as const;

export interface StateEntryOptions {
  readonly replace: boolean;
  readonly variables: ValuesByName;
  readonly direction: FlowView['direction'];
  readonly search?: string;
  readonly notice?: string | undefined;
  /** State stored in the history entry after a navigation to a URL. `null` if the flow cannot use it. Absent for transitions inside the flow. */
  readonly entry?: HistoryState | null | undefined;
  readonly redirected?: boolean;
  /** Failure that caused the transition. Its errors are shown at the fields. */
  readonly failure?: OperationFailure;
}

/** Whether a state renders nothing, because it only invokes an operation or takes a branch. It gets no history entry. */
export function isTransientState({ screen, block }: StateDefinition): boolean {
  return screen === undefined && block === undefined;
}

/** Returns the view that stays visible below the next state. Only a dialog has such a view. A transient state after a dialog keeps it. */
export function findViewBeneathModal(
  { view, viewBelowModal }: Pick<RunningFlowState, 'view' | 'viewBelowModal'>,
  next: StateDefinition,
): FlowView | null {
  if (viewBelowModal && isTransientState(next)) return viewBelowModal;
  if (!next.modal || !view) return null;
  return viewBelowModal ?? (isTransientState(view.state) ? null : view);
}

/** Whether a screen waits for its state's own operation, because the result may select another state. Blocks have their own progress indicator. */
export function isRenderedAfterOperation({ screen, block, invoke }: StateDefinition): boolean {
  return invoke !== undefined && screen !== undefined && block === undefined;
}

export function findScreenNotice(screen: LoadedScreen | null, name: string | undefined): ScreenNotice | null {
  return (name === undefined ? undefined : screen?.validator.screen.ui.notices?.[name]) ?? null;
}

export function parseHistoryState(state: unknown, flow: string): HistoryState | null {
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
    ...(isObject(state.forms) ? { forms: pickObjectValues(state.forms) } : {}),
    ...(typeof state.endedDepth === 'number' ? { endedDepth: state.endedDepth } : {}),
    ...(typeof state.owner === 'string' ? { owner: state.owner } : {}),
  };
}

export function createInitialVariables(flow: Flow, recalled: ValuesByName): ValuesByName {
  const defaults = Object.entries(flow.context ?? {}).map(([name, variable]) => [name, variable.default ?? null]);
  return { ...Object.fromEntries(defaults), ...pickPersistentVariables(flow, recalled) };
}

export function pickPersistentVariables(flow: Flow, context: ValuesByName): ValuesByName {
  return Object.fromEntries(Object.entries(context).filter(([name]) => flow.context?.[name]?.persist === true));
}

export function readQueryVariables(flow: Flow, search: string): ValuesByName {
  const query = new URLSearchParams(search);
  const declared = Object.entries(flow.context ?? {}).filter(([name, { from }]) => from === 'query' && query.has(name));
  return Object.fromEntries(declared.map(([name]) => [name, query.get(name)]));
}

export function readPathVariables(flow: Flow, params: ValuesByName): ValuesByName {
  return Object.fromEntries(Object.entries(params).filter(([name]) => flow.context?.[name]?.from === 'path'));
}
