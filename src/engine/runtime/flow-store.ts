import type { Flow } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import { computeDelay, type FlowScope } from '../core/transition.ts';
import type { FlowServices } from './flow-services.ts';
import { idle, type FlowState, type View } from './flow-state.ts';
import { firstVariables, persistent } from './flow-variables.ts';

/** A delayed event that comes while an operation runs is tried again after so long. */
const againMs = 1_000;

/** Longest single wait: browsers keep none of more than 24 days, and count no time while the machine sleeps. */
const stretchMs = 60_000;

/** What raises the delayed event of a state: once for each time that a state is entered. */
interface DelayedEvent {
  /** Another state is entered: its event has not been raised. */
  enter(): void;
  /** Raises the event of now in `delayMs`, in the place of one that waits; null: none. */
  wait(delayMs: number | null): void;
}

/** Calls `raise`, but not while `isBusy` answers that an operation runs. */
function delayedEvent(isBusy: () => boolean, raise: () => void): DelayedEvent {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let raised = false;
  const attempt = (): void => {
    raised = !isBusy(); // before it is raised: what that changes asks for the delay anew
    if (raised) raise();
    else timer = setTimeout(attempt, againMs);
  };
  const countDown = (leftMs: number): void => {
    const began = Date.now();
    const stretch = Math.min(leftMs, stretchMs);
    timer = setTimeout(() => {
      const passed = Math.max(stretch, Date.now() - began);
      if (passed >= leftMs) attempt();
      else countDown(leftMs - passed);
    }, stretch);
  };
  return {
    enter() {
      raised = false;
    },
    wait(delayMs) {
      clearTimeout(timer);
      if (delayMs !== null && !raised) countDown(delayMs);
    },
  };
}

/** What a flow shows and remembers: each change tells its listeners, keeps what outlives the page, and sets the clock of the delayed event. */
export class FlowStore {
  readonly #flow: Flow;
  readonly #services: FlowServices;
  readonly #listeners = new Set<() => void>();
  readonly #delayed;
  #state: FlowState;

  /** `raise`: raises an event of the state of now. */
  constructor(flow: Flow, services: FlowServices, raise: (event: string) => void) {
    this.#flow = flow;
    this.#services = services;
    const context = firstVariables(flow, services.recall(flow.id));
    this.#state = { context, view: null, below: null, notice: null, ...idle };
    this.#delayed = delayedEvent(
      () => this.#state.busy,
      () => raise(this.#state.view?.state.after?.event ?? ''),
    );
  }

  /** What is shown now; the same object until something changes. */
  get state(): FlowState {
    return this.#state;
  }

  /** Calls `listener` at each change; answers the way to stop. An own property, so that React keeps one subscription. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  };

  set(change: Partial<FlowState>): void {
    this.#state = { ...this.#state, ...change };
    if ('view' in change || 'context' in change)
      this.#delayed.wait(this.#state.view && computeDelay(this.#state.view.state, this.scope(), this.#services.now()));
    for (const listener of this.#listeners) listener();
  }

  /** Another state is shown, whose delayed event has not been raised. */
  show(change: Partial<FlowState>): void {
    this.#delayed.enter();
    this.set(change);
  }

  assign(context: Values): void {
    this.set({ context });
    const kept = persistent(this.#flow, context);
    if (Object.keys(kept).length > 0) this.#services.remember(this.#flow.id, kept);
  }

  setBusy(view: View, busy: boolean): void {
    view.draft?.setBusy(busy);
    this.set({ busy });
  }

  fail(): void {
    this.set({ ...idle, failed: true });
  }

  /** What guards see. */
  scope(form?: Values): FlowScope {
    const { onBranch } = this.#services;
    return {
      ...(form ? { form } : {}),
      ...(onBranch ? { onBranch } : {}),
      context: this.#state.context,
      facts: this.#services.facts(),
    };
  }

  /** What rules see beside the form. */
  ruleContext(): Values {
    return { ...this.#services.facts(), context: this.#state.context };
  }
}
