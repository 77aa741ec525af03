import type { OperationInput, OperationResult } from '../core/operation.ts';
import type { Values } from '../core/json.ts';
import type { FlowScope } from '../core/transition.ts';
import type { Validator } from '../core/validate.ts';
import type { FormModel } from './form/form-model.ts';
import type { EngineTranslate } from './engine-text.ts';
import type { InterruptedEventStore } from './interrupted-event.ts';

export interface LoadedScreen<Sent = Values> {
  /** Never set. Carries the type of the values that the form sends. */
  readonly sent?: Sent;
  readonly validator: Validator;
  /** Widgets of the view, by name. The runtime only passes them on. */
  readonly widgets: Readonly<Record<string, unknown>>;
  /** Opens a form with initial values. Returns `null` if the screen has no fields. */
  readonly open: (values: Values, context: Values) => FormModel | null;
}

/** Dependencies of a flow, injected by the portal. */
export interface FlowServices {
  /** `ahead` marks a preload: the screen is not needed yet. */
  readonly loadScreen: (id: string, ahead?: boolean) => Promise<LoadedScreen>;
  /** Reloads the manifest after the server refused an outdated form. */
  readonly refresh: () => Promise<void>;
  readonly invoke: (operation: string, input: OperationInput) => Promise<OperationResult>;
  readonly t: EngineTranslate;
  readonly facts: () => Values;
  readonly recall: (flow: string) => Values;
  readonly remember: (flow: string, context: Values) => void;
  /** Stores values for other flows on the page, which read them as the fact `carried`. Without it, nothing is carried. */
  readonly carry?: (values: Values) => void;
  readonly navigate: (path: string, options: { replace: boolean; state: HistoryState }) => void;
  /** Returns the id of the signed-in user. Returns `null` if nobody is signed in, and `undefined` if this is not known yet. */
  readonly getUserId?: () => string | null | undefined;
  /** Store of the interrupted event, shared by the flows of a page. Without it, the user has to repeat the event. */
  readonly interrupted?: InterruptedEventStore;
  /** Current time, for delayed events. */
  readonly now: () => Date;
  /** Goes to the previous page, or to the home page if the portal was opened on this one. */
  readonly goBack: () => void;
  /** Navigates to another address, which has to pass the redirect check. `replace` replaces the current history entry. */
  readonly leave: (address: unknown, options?: { replace: boolean }) => void;
  /** Called with each branch that is taken, for developer tools. */
  readonly onBranch?: FlowScope['onBranch'];
}

/** State of a history entry. `variables` were read from the query, which is removed from the address, or have `persist: 'entry'`. */
export interface HistoryState {
  readonly flow: string;
  readonly step: string;
  readonly variables: Values;
  /** Position of the entry in the history: 0 for the entry that the browser opened, one more for each later entry. */
  readonly depth: number;
  readonly done?: readonly string[];
  /** Input of the steps, by state. */
  readonly forms?: Readonly<Record<string, Values>>;
  /** Entries up to this depth belong to a journey that has ended. */
  readonly spent?: number;
  /** Result of `getUserId` when the entry was written. */
  readonly owner?: string;
}

export type StepProgress = Required<Pick<HistoryState, 'done' | 'spent' | 'forms'>>;
