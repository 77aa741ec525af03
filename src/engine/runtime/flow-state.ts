import type { OperationFailure } from '../core/operation.ts';
import type { Notice, State } from '../core/definition.ts';
import { isObject, objectsIn, type Values } from '../core/json.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState, LoadedScreen } from './flow-services.ts';

/** Where the browser is: what the address bar and the history entry say. */
export interface Arrival {
  readonly state: string;
  readonly search: string;
  readonly history: unknown;
  /** Values of the parameters of the path; none where it has none. */
  readonly params?: Values;
  /** The browser made a new entry of the history for it, e.g. by a link. */
  readonly pushed?: boolean;
}

/** What is on screen: a state with its loaded screen and its open draft, if it has one. */
export interface View {
  readonly name: string;
  readonly state: State;
  readonly screen: LoadedScreen | null;
  readonly draft: FormModel | null;
  readonly direction: 'none' | 'forward' | 'back';
  /** Its own operation has not answered, and may lead away: nothing is drawn of it yet. */
  readonly pending: boolean;
}

/** What a flow shows: replaced as a whole at each change. */
export interface FlowState {
  readonly context: Values;
  readonly view: View | null;
  /** What lies below a dialog. */
  readonly below: View | null;
  readonly notice: Notice | null;
  /** An operation runs. */
  readonly busy: boolean;
  /** The screen of the address is being loaded: what was drawn before is not to be typed into. */
  readonly arriving: boolean;
  /** The screen could not be loaded. */
  readonly failed: boolean;
}

/** Nothing runs. */
export const idle = { busy: false, arriving: false, failed: false } as const;

/** How a state is entered. */
export interface Entrance {
  readonly replace: boolean;
  readonly variables: Values;
  readonly direction: View['direction'];
  readonly search?: string;
  /** Name of the notice that the branch which led here raises. */
  readonly notice?: string | undefined;
  /** Of an arrival: the history entry, null where it has none. */
  readonly entry?: HistoryState | null | undefined;
  /** The state is another one than the address says. */
  readonly redirected?: boolean;
  /** The error that led here, whose fields are refused. */
  readonly failure?: OperationFailure;
}

/** Whether a state draws nothing: it only calls or decides, and leaves no entry in the history. */
export function isTransient({ screen, block }: State): boolean {
  return screen === undefined && block === undefined;
}

/** What lies below a state that is entered: a dialog lies over what is shown; what only decides in between leaves both as they are. */
export function findViewBeneathModal({ view, below }: Pick<FlowState, 'view' | 'below'>, next: State): View | null {
  if (below && isTransient(next)) return below;
  if (!next.modal || !view) return null;
  return below ?? (isTransient(view.state) ? null : view);
}

/** Whether a state's own operation comes before its screen: what that says may be true of nobody. A block draws its own waiting. */
export function waitsForOperation({ screen, block, invoke }: State): boolean {
  return invoke !== undefined && screen !== undefined && block === undefined;
}

/** A notice of the screen that is shown, by its name. */
export function findNotice(screen: LoadedScreen | null, name: string | undefined): Notice | null {
  return (name === undefined ? undefined : screen?.validator.screen.ui.notices?.[name]) ?? null;
}

/** What a history entry of this flow says; null when it is none. */
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
    ...(isObject(state.forms) ? { forms: objectsIn(state.forms) } : {}),
    ...(typeof state.spent === 'number' ? { spent: state.spent } : {}),
    ...(typeof state.owner === 'string' ? { owner: state.owner } : {}),
  };
}
