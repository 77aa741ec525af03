import type { OperationInput, OperationResult } from '../core/operation.ts';
import type { Values } from '../core/json.ts';
import type { FlowScope } from '../core/transition.ts';
import type { Validator } from '../core/validate.ts';
import type { FormModel } from './form/form-model.ts';
import type { EngineTexts } from './engine-text.ts';
import type { InterruptedEvents } from './interrupted-event.ts';

/** A screen that is ready to be drawn. */
export interface LoadedScreen {
  readonly validator: Validator;
  /** What the view draws fields with, by name; nothing here looks into it. */
  readonly widgets: Readonly<Record<string, unknown>>;
  /** Opens a form with these values; null for a screen without fields. */
  readonly open: (values: Values, context: Values) => FormModel | null;
}

/** What a flow needs of the portal: each part is given, never reached for. */
export interface FlowServices {
  /** `ahead`: nobody waits for the screen yet. */
  readonly loadScreen: (id: string, ahead?: boolean) => Promise<LoadedScreen>;
  /** Reads the manifest again, after the server refused an outdated form. */
  readonly refresh: () => Promise<void>;
  readonly invoke: (operation: string, input: OperationInput) => Promise<OperationResult>;
  readonly t: EngineTexts;
  /** Facts for rules: flags, user, authenticated. */
  readonly facts: () => Values;
  /** Persisted variables of a flow. */
  readonly recall: (flow: string) => Values;
  readonly remember: (flow: string, context: Values) => void;
  /** Takes what a form leaves for other flows of the page, which facts answer as `carried`; without it nothing is carried. */
  readonly carry?: (values: Values) => void;
  readonly navigate: (path: string, options: { replace: boolean; state: HistoryState }) => void;
  /** Who is signed in, by a name that says nothing to others; null: nobody is; undefined, as without it: that is not known yet. */
  readonly holder?: () => string | null | undefined;
  /** Shared by the flows of a page. Without it an interrupted event has to be raised again. */
  readonly interrupted?: InterruptedEvents;
  /** The time by which things end. */
  readonly now: () => Date;
  /** Goes to the page before; home where the portal was opened on this one. */
  readonly goBack: () => void;
  /** Leaves for another address, through the redirect check; with `replace` nothing of here stays in the history. */
  readonly leave: (address: unknown, options?: { replace: boolean }) => void;
  /** Told of each branch that is taken, for tools that show why. */
  readonly onBranch?: FlowScope['onBranch'];
}

/** What a history entry of a flow carries: its step, and variables read from the address before they left it. */
export interface HistoryState {
  readonly flow: string;
  readonly step: string;
  readonly variables: Values;
  /** 0 for the entry that the browser opened, one more for each that the flow pushed. */
  readonly depth: number;
  /** The steps of the flow's ways that were done. */
  readonly done?: readonly string[];
  /** What was typed in the steps, by state. */
  readonly forms?: Readonly<Record<string, Values>>;
  /** Entries up to this depth are of a journey that has ended. */
  readonly spent?: number;
  /** Who was signed in when it was written. */
  readonly owner?: string;
}

/** What an entry says of the steps of a flow. */
export type StepMarks = Required<Pick<HistoryState, 'done' | 'spent' | 'forms'>>;
