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

/** A step of the bar; `href` is the address of one that can be gone back to, empty where it has none of its own. */
export interface ShownStep extends BarStep {
  readonly href?: string;
}

/** What is drawn of a way above a screen. */
export interface Bar {
  readonly steps: readonly ShownStep[];
  /** What the view draws it with; nothing here looks into it. */
  readonly draw: unknown;
  /** Goes back to an earlier step. */
  readonly returnTo: (state: string) => void;
}

/** What the forms of a way hold, and the version of their rules. */
export type SentForm = Required<Pick<OperationInput, 'body' | 'version'>>;

/** What the steps of a flow need of its runner. */
export interface StepsHost {
  /** What guards of steps see. */
  readonly scope: () => StepScope;
  readonly history: FlowHistory;
  /** `ahead`: nobody waits for the screen yet. */
  readonly load: (state: State, ahead?: boolean) => Promise<LoadedScreen | null | undefined>;
  /** Opens the form of a state with what was typed in it. */
  readonly open: (name: string, state: State, screen: LoadedScreen) => FormModel | null;
  readonly drafts: FormSnapshots;
  /** Takes back what forms of the flow left for other flows. */
  readonly takeBack: () => void;
  /** What is shown; null while a screen is loaded. */
  readonly state: () => FlowState | null;
  /** Goes back from a view to a state, without the fields that are emptied on the way. */
  readonly enter: (view: View, state: string, clear: readonly string[]) => void;
  readonly store: FlowStore;
}

/** The steps of the ways through a running flow: which are done, and what belongs to which. */
export interface Steps {
  /** The steps whose forms were submitted and are as they were then. */
  readonly done: readonly string[];
  /** What was typed in the steps, without secrets and what is not saved, by state. */
  readonly forms: Readonly<Record<string, Values>>;
  /** The bar above a view; null where it has none. */
  bar(view: View): Bar | null;
  /** Whether an entry of the history, which a reload kept, is of a step of a way that was begun. */
  resumes(entry: HistoryState): boolean;
  /** The step before a state, if there is one. */
  before(state: string): string | undefined;
  isBefore(state: string, from: string): boolean;
  /** Goes back to an earlier step; any other is left alone. */
  returnTo(state: string): void;
  /** The form of a state is sent. */
  submitted(view: View): void;
  /** What a state sent was not taken. */
  undo(state: string): void;
  /** A state is left: where its form is another than the one that was submitted, the step is not done any more. */
  left(view: View): void;
  /**
   * Where an arrival at a state leads: to the first step before it whose form is not done. One that was done before a reload, as the
   * entry of the history says, still is where what was kept fills its form.
   */
  reach(wanted: string, entry: HistoryState | null): Promise<string>;
  /** What the forms of the way hold up to a view, and `body` beside it; null where a form is not fine, to which it then leads. */
  take(view: View, body: unknown): Promise<SentForm | null>;
  /** What follows an error: it leads to the first step that asks for a refused field, and each step will show its own errors. */
  lead(view: View, outcome: Outcome, failure: OperationFailure): Promise<Outcome>;
  /** A form was opened: it shows what is not fine, and what the server refused of it. */
  opened(state: string, draft: FormModel | null): void;
  /** Begins the way of a view anew; only of a flow that saves its ways. */
  restart?(view: View): void;
  /** The way has come to its end: nothing of it is kept. */
  finish(state: string): void;
  /** Entries of the history up to this depth are of a journey that has ended; -1: none has. */
  readonly spent: number;
  /** Whether an entry of the history is of a journey that has ended, as it or a later one says; from there on another one begins. */
  takeSpent(entry: HistoryState): boolean;
}

/** Opens the steps of a flow that has some. */
export type OpenSteps = (flow: Flow, host: StepsHost) => Steps;
