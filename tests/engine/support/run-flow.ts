import type { OperationFailure, OperationInput, OperationResult } from '../../../src/engine/core/operation-result.ts';
import type { Flow } from '../../../src/engine/core/flow-and-screen-types.ts';
import type { ValuesByName } from '../../../src/engine/core/json.ts';
import { FlowRunner } from '../../../src/engine/runtime/flow-runner.ts';
import { SavedJourneySteps, type JourneyStore } from '../../../src/engine/runtime/saved-journey-steps.ts';
import { createJourneySteps } from '../../../src/engine/runtime/journey-steps.ts';
import type { FlowServices, HistoryState, LoadedScreen } from '../../../src/engine/runtime/flow-services.ts';

/** A navigation that the flow requested. */
export interface Navigation {
  readonly path: string;
  readonly replace: boolean;
  readonly state: HistoryState;
}

/** An operation that the flow invoked, and the function that responds to it. */
export interface PendingCall {
  readonly call: string;
  readonly input: OperationInput;
  readonly answer: (result: OperationResult) => Promise<void>;
}

/** Environment of a flow under test. Tests override individual properties. */
export interface FlowTestOptions {
  readonly screens: Record<string, LoadedScreen | Promise<LoadedScreen>>;
  facts?: ValuesByName;
  /** Id of the signed-in citizen. Unknown if omitted. */
  holder?: string | null;
  readonly stored?: ValuesByName;
  readonly refresh?: () => Promise<void>;
  readonly interrupted?: FlowServices['interrupted'];
  /** Invokes operations. By default, they stay pending until the test responds. */
  readonly invoke?: FlowServices['invoke'];
  readonly reportError?: FlowServices['reportError'];
  /** Store for the progress of a flow with "save". */
  readonly journeys?: JourneyStore;
}

/** Creates a runner whose services record requests. Operations stay pending until the test responds. */
export function runFlow(flow: Flow, surroundings: FlowTestOptions) {
  const navigations: Navigation[] = [];
  const left: unknown[] = [];
  const remembered: ValuesByName[] = [];
  const carried: ValuesByName[] = [];
  const calls: PendingCall[] = [];
  let wentBack = 0;
  const services: FlowServices = {
    loadScreen: async (id) => surroundings.screens[id] ?? Promise.reject(new Error(`no screen ${id}`)),
    refresh: surroundings.refresh ?? (() => Promise.resolve()),
    invoke: (call, input) =>
      surroundings.invoke?.(call, input) ??
      new Promise((resolve) => {
        calls.push({
          call,
          input,
          answer: async (result) => {
            resolve(result);
            await settlePromises();
          },
        });
      }),
    t: (key) => key,
    facts: () => surroundings.facts ?? {},
    recall: () => surroundings.stored ?? {},
    remember: (_, context) => void remembered.push(context),
    carry: (values) => void carried.push(values),
    navigate: (path, { replace, state }) => void navigations.push({ path, replace, state }),
    getUserId: () => surroundings.holder,
    ...(surroundings.interrupted && { interrupted: surroundings.interrupted }),
    ...(surroundings.reportError && { reportError: surroundings.reportError }),
    now: () => new Date(),
    goBack: () => (wentBack += 1),
    leave: (address) => void left.push(address),
  };
  const { journeys } = surroundings;
  const runner = new FlowRunner(
    flow,
    services,
    flow.progress &&
      ((own, host) =>
        own.save && journeys
          ? new SavedJourneySteps({ ...own, save: own.save }, host, journeys)
          : createJourneySteps(own, host)),
  );
  return {
    runner,
    navigations,
    left,
    remembered,
    carried,
    calls,
    wentBack: () => wentBack,
    /** Opens the path of a state, and waits until the flow is idle or an operation is pending. */
    arrive: async (state: string, search = '', history: unknown = null) => {
      void runner.arrive({ state, search, history });
      await settlePromises();
    },
    /** Raises an event, and waits until the flow is idle or an operation is pending. */
    raise: async (event: string) => {
      void runner.raise(event);
      await settlePromises();
    },
    back: async () => {
      runner.back();
      await settlePromises();
    },
    /** Sets values in the current form. */
    type: (values: ValuesByName) => {
      for (const [name, value] of Object.entries(values)) runner.state.view?.form?.field(name)?.set(value);
    },
    shown: () => runner.state.view?.name,
  };
}

export const createSuccess = (result: unknown = {}): OperationResult => ({ ok: true, result });

export const createRefusal = (failure: Partial<OperationFailure> = {}): OperationResult => ({
  ok: false,
  failure: { status: 400, error: 'refused', errors: {}, outdated: false, ...failure },
});

/** The native function, so that `settlePromises` works with fake timers. */
const realTimeout = setTimeout;

/** Waits until all resolved promises have run their callbacks. */
export async function settlePromises(): Promise<void> {
  await new Promise((resolve) => realTimeout(resolve));
}
