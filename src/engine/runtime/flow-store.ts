import type { Flow, ScreenNotice } from '../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../core/json.ts';
import { ObservableValue } from '../core/observable-value.ts';
import { computeEventDelay, type FlowRuleScope } from '../core/transition.ts';
import type { FlowServices } from './flow-services.ts';
import {
  idleFlowStatus,
  type RunningFlowState,
  type FlowView,
  createInitialVariables,
  findViewBeneathModal,
  pickPersistentVariables,
} from './flow-state.ts';

/** Delay before a delayed event is retried while an operation is pending, in milliseconds. */
const retryDelayMs = 1_000;

/** Maximum time of one timer, in milliseconds, because a timer overflows after 24 days and stops while the machine sleeps. */
const maxTimerMs = 60_000;

/** Creates a timer that calls `raise` at most once per `enter`. Retries later while `isBusy` returns true. */
function createDelayedEvent(isBusy: () => boolean, raise: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let raised = false;
  const attempt = (): void => {
    raised = !isBusy(); // set before `raise`, which changes the flow, so that `wait` is called again
    if (raised) raise();
    else timer = setTimeout(attempt, retryDelayMs);
  };
  const countDown = (leftMs: number): void => {
    const began = Date.now();
    const stretch = Math.min(leftMs, maxTimerMs);
    timer = setTimeout(() => {
      const passed = Math.max(stretch, Date.now() - began);
      if (passed >= leftMs) attempt();
      else countDown(leftMs - passed);
    }, stretch);
  };
  return {
    enter(): void {
      raised = false;
    },
    /** Restarts the timer with a new delay, unless the event was already raised. `null` only stops the timer. */
    wait(delayMs: number | null): void {
      clearTimeout(timer);
      if (delayMs !== null && !raised) countDown(delayMs);
    },
  };
}

/** State of a flow. Each change notifies the listeners, persists variables and restarts the timer of the delayed event. */
export class FlowStore {
  readonly #flow: Flow;
  readonly #services: FlowServices;
  readonly #state: ObservableValue<RunningFlowState>;
  readonly #delayed;
  readonly subscribe: ObservableValue<RunningFlowState>['subscribe'];

  constructor(flow: Flow, services: FlowServices, raise: (event: string) => void) {
    this.#flow = flow;
    this.#services = services;
    const context = createInitialVariables(flow, services.recall(flow.id));
    this.#state = new ObservableValue<RunningFlowState>({
      context,
      view: null,
      viewBelowModal: null,
      notice: null,
      ...idleFlowStatus,
    });
    this.subscribe = this.#state.subscribe;
    this.#delayed = createDelayedEvent(
      () => this.state.busy,
      () => raise(this.state.view?.state.after?.event ?? ''),
    );
  }

  get state(): RunningFlowState {
    return this.#state.value;
  }

  set(change: Partial<RunningFlowState>): void {
    this.#state.set({ ...this.state, ...change });
    const { view } = this.state;
    if ('view' in change || 'context' in change)
      this.#delayed.wait(view && computeEventDelay(view.state, this.createScope(), this.#services.now()));
  }

  enterView(view: FlowView, notice: ScreenNotice | null): void {
    this.#delayed.enter();
    this.set({ ...idleFlowStatus, notice, view, viewBelowModal: findViewBeneathModal(this.state, view.state) });
  }

  closeModal(): void {
    const { view, viewBelowModal } = this.state;
    if (viewBelowModal && view?.state.modal)
      this.set({ ...idleFlowStatus, view: viewBelowModal, viewBelowModal: null, notice: null });
  }

  assignVariables(context: ValuesByName): void {
    this.set({ context });
    const persistent = pickPersistentVariables(this.#flow, context);
    if (Object.keys(persistent).length > 0) this.#services.remember(this.#flow.id, persistent);
  }

  setBusy(view: FlowView, busy: boolean): void {
    view.form?.setBusy(busy);
    this.set({ busy });
  }

  setFailed(): void {
    this.set({ ...idleFlowStatus, failed: true });
  }

  createScope(form?: ValuesByName): FlowRuleScope {
    const { onBranch } = this.#services;
    return {
      ...(form ? { form } : {}),
      ...(onBranch ? { onBranch } : {}),
      context: this.state.context,
      facts: this.#services.facts(),
    };
  }

  createRuleContext(): ValuesByName {
    return { ...this.#services.facts(), context: this.state.context };
  }
}
