import type { Flow, StateDefinition } from '../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../core/json.ts';
import { listDirectBranches, findTransitionInvocation } from '../core/transition.ts';
import { createTexts } from './engine-text.ts';
import { FlowRunner } from './flow-runner.ts';
import type { FlowServices } from './flow-services.ts';
import type { RunningFlowState } from './flow-state.ts';
import { type ProgressBar, type JourneyStepsFactory, createJourneySteps } from './journey-steps.ts';
import type { ReviewedAnswers } from './reviewed-answers.ts';

export interface RunningFlow {
  readonly runner: FlowRunner;
  readonly state: RunningFlowState;
  readonly bar: ProgressBar | null;
  readonly answers: ReviewedAnswers | null;
  readonly subscribe: (listener: () => void) => () => void;
  /** Enters `state`, by default the flow's initial state. Rejects if the flow has no such state. */
  start(state?: string): Promise<void>;
  /** Raises an event of the current state. `values` are values that a block sends. Rejects if no state of the flow has this event. */
  send(event: string, values?: ValuesByName): Promise<void>;
}

/** Services that a page provides for a flow. Optional services are required only if the flow uses them. */
export type PageServices = Pick<FlowServices, 'loadScreen' | 'invoke'> &
  Partial<FlowServices> & {
    /** Replaces the steps of the engine, e.g. with steps that save progress (`save`). */
    readonly openSteps?: JourneyStepsFactory;
  };

/** Creates a running flow. Throws an Error that lists all features of the flow whose service is missing. */
export function createFlow(flow: Flow, services: PageServices): RunningFlow {
  const lacking = [...listMissingServices(flow, services)];
  if (lacking.length > 0) throw new Error(`The flow "${flow.id}" needs more of createFlow: ${lacking.join('; ')}.`);
  const events = new Set(['back', 'restart', ...Object.values(flow.states).flatMap(({ on = {} }) => Object.keys(on))]);
  const reportError = services.reportError ?? defaultServices.reportError;
  let isStarted = false;
  const runner = new FlowRunner(
    flow,
    { ...defaultServices, ...services },
    flow.progress && (services.openSteps ?? createJourneySteps),
  );
  return {
    runner,
    get state() {
      return runner.state;
    },
    get bar() {
      return runner.state.view && (runner.steps?.buildBar(runner.state.view) ?? null);
    },
    get answers() {
      return runner.state.view && (runner.steps?.review(runner.state.view) ?? null);
    },
    subscribe: (listener) => {
      const unsubscribe = runner.subscribe(listener);
      const timer = setTimeout(() => {
        if (!isStarted)
          reportError?.(new Error(`The flow "${flow.id}" is rendered, but was not started: call start().`));
      }, startMs);
      return () => {
        clearTimeout(timer);
        unsubscribe();
      };
    },
    start: async (state = flow.initial) => {
      isStarted = true;
      if (!Object.hasOwn(flow.states, state)) throw new Error(`The flow "${flow.id}" has no state "${state}".`);
      await runner.arrive({ state, search: '', history: null });
    },
    send: async (event, values) => {
      if (!events.has(event)) throw new Error(`The flow "${flow.id}" has no event "${event}".`);
      await runner.raise(event, values);
    },
  };
}

/** Time after which a rendered flow must have been started, in milliseconds. */
const startMs = 1_000;

const defaultServices: Omit<FlowServices, 'loadScreen' | 'invoke'> = {
  refresh: () => Promise.resolve(),
  t: createTexts(),
  facts: () => ({}),
  recall: () => ({}),
  remember: () => undefined,
  navigate: () => undefined,
  now: () => new Date(),
  reportError: (error) => globalThis.reportError?.(error), // absent in Node.js
  goBack: () => undefined,
  // Throws, because the page provided no `leave`. Only reached through the `error.next` of a failed operation: `createFlow` rejects other uses.
  leave: (address) => {
    throw new Error(`The flow leaves for ${String(address)}, and createFlow was given no \`leave\`.`);
  },
};

function* listMissingServices(flow: Flow, given: PageServices): Generator<string> {
  const persisted = Object.entries(flow.context ?? {}).flatMap(([name, { persist }]) =>
    persist === undefined || persist === false ? [] : [{ name, persist }],
  );
  const persistedVariable = persisted.find(({ persist }) => persist === true);
  const inEntry = persisted.find(({ persist }) => persist === 'entry');
  if (flow.save && !given.openSteps) yield '`openSteps`, by which `save` saves the steps';
  if (persistedVariable && !(given.recall && given.remember))
    yield `\`recall\` and \`remember\`, in which the variable "${persistedVariable.name}" outlives the page`;
  if (inEntry && !given.navigate) yield `\`navigate\`, whose history keeps the variable "${inEntry.name}"`;
  for (const [name, state] of Object.entries(flow.states)) {
    if (!given.leave && canLeaveFlow(state)) yield `\`leave\`, by which the state "${name}" leads to another address`;
    if (!given.goBack && state.back === 'history')
      yield `\`goBack\`, by which "back" of the state "${name}" follows the history`;
    if (!given.carry && state.carry) yield `\`carry\`, which takes what the state "${name}" leaves for other flows`;
  }
}

/** Whether the definition of a state redirects to a URL outside the flow. Ignores `error.next` of failed operations, which may never occur. */
function canLeaveFlow({ always = [], on = {}, invoke }: StateDefinition): boolean {
  const effects = [...Object.values(on).map(findTransitionInvocation), invoke ?? null].filter(
    (effect) => effect !== null,
  );
  const branches = [
    ...always,
    ...Object.values(on).flatMap(listDirectBranches),
    ...effects.flatMap(({ onDone, onError }) => [...onDone, ...onError]),
  ];
  return branches.some(({ leave }) => leave !== undefined && JSON.stringify(leave) !== '{"var":"error.next"}');
}
