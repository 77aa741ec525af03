import type { Flow, State } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import { listBranches, findEffect } from '../core/transition.ts';
import { english } from './engine-text.ts';
import { FlowRunner } from './flow-runner.ts';
import type { FlowServices } from './flow-services.ts';
import type { FlowState } from './flow-state.ts';
import type { Bar, OpenSteps } from './flow-steps.ts';
import { openSteps } from './steps.ts';

/** A flow that runs. */
export interface RunningFlow {
  readonly runner: FlowRunner;
  /** What is shown now; the same object until something changes. */
  readonly state: FlowState;
  /** The steps of the journey that is shown; null where it has none. */
  readonly bar: Bar | null;
  /** Calls `listener` at each change; answers the way to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Enters the first state, or another by its name. */
  start(state?: string): Promise<void>;
  /** Raises an event of the state of now, of a block with values. */
  send(event: string, values?: Values): Promise<void>;
}

/** What a page gives to a flow: what its file has no words for may be left out. */
export type PageServices = Pick<FlowServices, 'loadScreen' | 'invoke'> &
  Partial<FlowServices> & {
    /** What the view draws `progress` with. */
    readonly stepBar?: unknown;
    /** Opens other steps than the engine's own, e.g. such as are saved (`save`). */
    readonly openSteps?: OpenSteps;
  };

/** Runs a flow with what surrounds it. Throws an Error that names every word of the flow for which the page gives nothing. */
export function createFlow(flow: Flow, services: PageServices): RunningFlow {
  const lacking = [...lacks(flow, services)];
  if (lacking.length > 0) throw new Error(`The flow "${flow.id}" needs more of createFlow: ${lacking.join('; ')}.`);
  const steps: OpenSteps = services.openSteps ?? ((own, host) => openSteps(own, host, services.stepBar));
  const runner = new FlowRunner(flow, { ...alone, ...services }, flow.progress && steps);
  return {
    runner,
    get state() {
      return runner.state;
    },
    get bar() {
      return runner.state.view && (runner.steps?.bar(runner.state.view) ?? null);
    },
    subscribe: runner.subscribe,
    start: (state = flow.initial) => runner.arrive({ state, search: '', history: null }),
    send: (event, values) => runner.raise(event, values),
  };
}

const alone: Omit<FlowServices, 'loadScreen' | 'invoke'> = {
  refresh: () => Promise.resolve(),
  t: english,
  facts: () => ({}),
  recall: () => ({}),
  remember: () => undefined,
  navigate: () => undefined,
  now: () => new Date(),
  goBack: () => undefined,
  // What an operation answers may lead there, whatever the flow's file says.
  leave: (address) => {
    throw new Error(`The flow leaves for ${String(address)}, and createFlow was given no \`leave\`.`);
  },
};

function* lacks(flow: Flow, given: PageServices): Generator<string> {
  const persisted = Object.entries(flow.context ?? {}).flatMap(([name, { persist }]) =>
    persist === undefined || persist === false ? [] : [{ name, persist }],
  );
  const kept = persisted.find(({ persist }) => persist === true);
  const inEntry = persisted.find(({ persist }) => persist === 'entry');
  if (flow.save && !given.openSteps) yield '`openSteps`, by which `save` saves the steps';
  else if (flow.progress && !given.openSteps && given.stepBar === undefined)
    yield '`stepBar`, which draws `progress` (StepBar of the view)';
  if (kept && !(given.recall && given.remember))
    yield `\`recall\` and \`remember\`, in which the variable "${kept.name}" outlives the page`;
  if (inEntry && !given.navigate) yield `\`navigate\`, whose history keeps the variable "${inEntry.name}"`;
  for (const [name, state] of Object.entries(flow.states)) {
    if (!given.leave && hasLeave(state)) yield `\`leave\`, by which the state "${name}" leads to another address`;
    if (!given.goBack && state.back === 'history')
      yield `\`goBack\`, by which "back" of the state "${name}" follows the history`;
    if (!given.carry && state.carry) yield `\`carry\`, which takes what the state "${name}" leaves for other flows`;
  }
}

/** Whether the file of a flow says that a state leads elsewhere. An answer that names the next address is another matter: it may come or not. */
function hasLeave({ always = [], on = {}, invoke }: State): boolean {
  const effects = [...Object.values(on).map(findEffect), invoke ?? null].filter((effect) => effect !== null);
  const branches = [
    ...always,
    ...Object.values(on).flatMap(listBranches),
    ...effects.flatMap(({ onDone, onError }) => [...onDone, ...onError]),
  ];
  return branches.some(({ leave }) => leave !== undefined && JSON.stringify(leave) !== '{"var":"error.next"}');
}
