import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import { FlowRunner } from './flow-runner.ts';
import type { FlowServices } from './flow-services.ts';
import type { FlowState } from './flow-state.ts';

/** A flow that runs. */
export interface RunningFlow {
  readonly runner: FlowRunner;
  /** What is shown now; the same object until something changes. */
  readonly state: FlowState;
  /** Calls `listener` at each change; answers the way to stop. */
  readonly subscribe: (listener: () => void) => () => void;
  /** Enters the first state, or another by its name. */
  start(state?: string): Promise<void>;
  /** Raises an event of the state of now, of a block with values. */
  send(event: string, values?: Values): Promise<void>;
}

/** Runs a flow with what surrounds it; a page that gives neither addresses nor a memory has none. */
export function createFlow(
  flow: Flow,
  services: Pick<FlowServices, 'loadScreen' | 'invoke'> & Partial<FlowServices>,
): RunningFlow {
  const runner = new FlowRunner(flow, { ...alone, ...services });
  return {
    runner,
    get state() {
      return runner.state;
    },
    subscribe: runner.subscribe,
    start: (state = flow.initial) => runner.arrive({ state, search: '', history: null }),
    send: (event, values) => runner.raise(event, values),
  };
}

const alone: Omit<FlowServices, 'loadScreen' | 'invoke'> = {
  refresh: () => Promise.resolve(),
  t: (key) => key,
  facts: () => ({}),
  recall: () => ({}),
  remember: () => undefined,
  navigate: () => undefined,
  now: () => new Date(),
  goBack: () => undefined,
  leave: () => undefined,
};
