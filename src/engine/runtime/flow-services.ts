import type { OperationInput, OperationResult } from '../core/operation-result.ts';
import type { ValuesByName } from '../core/json.ts';
import type { FlowRuleScope } from '../core/transition.ts';
import type { ScreenValidator } from '../core/validate-screen-form.ts';
import type { FormModel } from './form/form-model.ts';
import type { EngineTranslate } from './engine-text.ts';
import type { InterruptedEventStore } from './interrupted-event.ts';

export interface LoadedScreen<Sent = ValuesByName> {
  /** Type of the values that the form sends. Never set at run time. */
  readonly sent?: Sent;
  readonly validator: ScreenValidator;
  readonly widgets: Readonly<Record<string, unknown>>;
  readonly open: (values: ValuesByName, context: ValuesByName) => FormModel | null;
}

export interface FlowServices {
  /** `ahead` marks a preload, whose screen is not needed yet. */
  readonly loadScreen: (id: string, ahead?: boolean) => Promise<LoadedScreen>;
  /** Reloads the manifest after the server has rejected an outdated form. */
  readonly refresh: () => Promise<void>;
  readonly invoke: (operation: string, input: OperationInput) => Promise<OperationResult>;
  readonly t: EngineTranslate;
  readonly facts: () => ValuesByName;
  readonly recall: (flow: string) => ValuesByName;
  readonly remember: (flow: string, context: ValuesByName) => void;
  /** Stores values for other flows on the page, which read them as the fact `carried`. If absent, no values are offered. */
  readonly carry?: (values: ValuesByName) => void;
  readonly navigate: (path: string, options: { replace: boolean; state: HistoryState }) => void;
  /** Returns the id of the signed-in user. Returns `null` if nobody is signed in, or `undefined` if this is unknown. */
  readonly getUserId?: () => string | null | undefined;
  /** Store of the interrupted event, shared by the flows of a page. If absent, the user has to repeat the event. */
  readonly interrupted?: InterruptedEventStore;
  readonly now: () => Date;
  /** Navigates to the previous page, or to the home page if this page was opened first. */
  readonly goBack: () => void;
  /** Redirects to a URL outside the flow, subject to the redirect check. `replace`: replaces the current history entry. */
  readonly leave: (address: unknown, options?: { replace: boolean }) => void;
  readonly reportError?: (error: unknown) => void;
  readonly onBranch?: FlowRuleScope['onBranch'];
}

/** Invokes an operation. If the promise is rejected or has no result, returns a failure without a response, so that the flow does not stay pending. */
export async function invokeOperation(
  { invoke, reportError, t }: FlowServices,
  name: string,
  input: OperationInput,
): Promise<OperationResult> {
  try {
    const answer: OperationResult | undefined = await invoke(name, input);
    if (answer?.ok) return answer;
    if (answer) return { ok: false, failure: { errors: {}, outdated: false, ...answer.failure } };
    throw new TypeError(`invoke("${name}") returned neither a result nor a failure.`);
  } catch (error) {
    reportError?.(error);
    return { ok: false, failure: { status: 0, error: t('failed'), errors: {}, outdated: false } };
  }
}

export function loadScreen(services: FlowServices, id: string, ahead: boolean): Promise<LoadedScreen | undefined> {
  return services.loadScreen(id, ahead).catch((error: unknown) => services.reportError?.(error) as undefined);
}

/** State of a history entry. `variables` has the variables from the query, which is removed from the URL, and variables with `persist: 'entry'`. */
export interface HistoryState {
  readonly flow: string;
  readonly step: string;
  readonly variables: ValuesByName;
  /** Position of the entry: 0 for the entry that the browser opened, increasing by one with each later entry. */
  readonly depth: number;
  readonly done?: readonly string[];
  readonly forms?: Readonly<Record<string, ValuesByName>>;
  /** Highest depth of an ended journey. Entries up to this depth are not resumed. */
  readonly endedDepth?: number;
  /** Id of the user who was signed in when the entry was written. Absent if nobody was signed in. */
  readonly owner?: string;
}

export type JourneyHistoryState = Required<Pick<HistoryState, 'done' | 'endedDepth' | 'forms'>>;
