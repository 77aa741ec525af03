import type { Values } from '../core/json.ts';
import type { OperationFailure, OperationInput } from '../core/operation.ts';
import type { Flow, State } from '../core/definition.ts';
import type { BarStep, StepScope } from '../core/progress.ts';
import type { Outcome } from '../core/transition.ts';
import type { FormModel } from './form/form-model.ts';
import type { FlowStore } from './flow-store.ts';
import type { FlowHistory } from './flow-history.ts';
import type { HistoryState, LoadedScreen } from './flow-services.ts';
import type { FormSnapshots } from './flow-forms.ts';
import type { FlowState, View } from './flow-state.ts';

/** A step in the progress bar. `href` is present if the user may return to the step, and empty if the step has no address of its own. */
export interface ShownStep extends BarStep {
  readonly href?: string;
}

export interface Bar {
  readonly steps: readonly ShownStep[];
  /** Component of the view. The runtime only passes it on. */
  readonly draw: unknown;
  /** Goes back to an earlier step. */
  readonly returnTo: (state: string) => void;
}

/** Combined values of a journey's forms, and the version of their rules. */
export type SentForm = Required<Pick<OperationInput, 'body' | 'version'>>;

export interface StepsHost {
  /** Returns the facts and answers that the guards of steps may read. */
  readonly scope: () => StepScope;
  readonly history: FlowHistory;
  /** `ahead` marks a preload: the screen is not needed yet. */
  readonly load: (state: State, ahead?: boolean) => Promise<LoadedScreen | null | undefined>;
  /** Opens the form of a state with its previous input. */
  readonly open: (name: string, state: State, screen: LoadedScreen) => FormModel | null;
  readonly drafts: FormSnapshots;
  /** Withdraws the values that the flow offered to other flows (`carry`). */
  readonly takeBack: () => void;
  /** Returns the view and status of the flow. Returns `null` while a screen loads. */
  readonly state: () => FlowState | null;
  /** Goes back from a view to a state. `clear` contains JSON pointers of the view's fields to empty. */
  readonly enter: (view: View, state: string, clear: readonly string[]) => void;
  readonly store: FlowStore;
}

/** Steps of a running flow: which are complete, and their input. */
export interface Steps {
  /** States of the completed steps: submitted, and not changed since. */
  readonly done: readonly string[];
  /** Input of the steps by state, without secrets and other fields that are not saved. */
  readonly forms: Readonly<Record<string, Values>>;
  /** Returns the progress bar of a view. Returns `null` if it has none. */
  bar(view: View): Bar | null;
  /** Whether a history entry, after a reload, belongs to a journey that has completed steps. */
  resumes(entry: HistoryState): boolean;
  /** Returns the state of the previous step. */
  before(state: string): string | undefined;
  isBefore(state: string, from: string): boolean;
  /** Goes back to an earlier step. Ignores any other state. */
  returnTo(state: string): void;
  submitted(view: View): void;
  /** Marks a step as incomplete, because its submit failed or did not leave the state. */
  undo(state: string): void;
  /** Marks a step as incomplete if its form has changed since the submit. Called when its state is left. */
  left(view: View): void;
  /**
   * Returns the state to enter on an arrival: the first incomplete step before `wanted`, or else `wanted`. A step that the history entry lists as
   * complete counts as such if its stored input still makes a valid form.
   */
  reach(wanted: string, entry: HistoryState | null): Promise<string>;
  /**
   * Combines the forms of the journey up to a view, and `body`. Returns `null` if a form cannot be loaded, or if it is invalid, and then enters its
   * step.
   */
  take(view: View, body: unknown): Promise<SentForm | null>;
  /** Redirects the outcome of an error to the first step that has a refused field. Each step shows its own errors when it opens. */
  lead(view: View, outcome: Outcome, failure: OperationFailure): Promise<Outcome>;
  /** Shows the errors of a step that has just opened: its invalid values, or those that the server refused. */
  opened(state: string, draft: FormModel | null): void;
  /** Starts the journey of a view over. Only flows that save progress have this method. */
  restart?(view: View): void;
  finish(state: string): void;
  /** History entries up to this depth belong to a journey that has ended. -1 if there is none. */
  readonly spent: number;
  /** Whether a history entry belongs to a journey that has ended. If so, a new journey starts at this entry. */
  takeSpent(entry: HistoryState): boolean;
}

export type OpenSteps = (flow: Flow, host: StepsHost) => Steps;
