import type { OperationFailure } from '../core/operation-result.ts';
import type { OperationInvocation, Flow, StateDefinition } from '../core/flow-and-screen-types.ts';
import type { ValuesByName } from '../core/json.ts';
import {
  buildOperationRequest,
  chooseFirstTrueBranch,
  resolveEnteredState,
  findTransitionInvocation,
  listDirectBranches,
} from '../core/transition.ts';
import type { FlowRuleScope, TransitionOutcome } from '../core/transition.ts';
import { FlowForms } from './flow-forms.ts';
import { FlowHistory } from './flow-history.ts';
import { invokeOperation, loadScreen, type FlowServices, type LoadedScreen } from './flow-services.ts';
import {
  readPathVariables,
  readQueryVariables,
  findScreenNotice,
  idleFlowStatus,
  isTransientState,
  parseHistoryState,
  type FlowArrival,
  type StateEntryOptions,
  type RunningFlowState,
  type FlowView,
} from './flow-state.ts';
import type { InterruptedEvent } from './interrupted-event.ts';
import { FlowStore } from './flow-store.ts';
import type { JourneyStepsFactory, JourneySteps } from './journey-steps.ts';

/** Runs a flow. Evaluates the entry guards after each navigation to a URL or history entry, because either may be outdated or forged. */
export class FlowRunner {
  readonly flow: Flow;
  readonly #services: FlowServices;
  readonly #store: FlowStore;
  readonly #forms: FlowForms;
  readonly #history: FlowHistory;
  readonly subscribe: FlowStore['subscribe'];
  readonly steps: JourneySteps | null;
  readonly #visited = new Set<string>();
  #turn = 0;
  #pendingState: string | null = null;
  /** Event that started the pending operation. `null` if the state invoked it on entry. */
  #pendingEvent: string | null = null;
  /** Retries to enter a state whose screen failed to load or whose operation got no response. `null` if there is nothing to retry. */
  #enterAgain: (() => Promise<void>) | null = null;
  /** Latest event that was raised while the operation of another event was pending. */
  #queuedEvent: { readonly event: string; readonly values: ValuesByName } | null = null;

  constructor(flow: Flow, services: FlowServices, openSteps?: JourneyStepsFactory) {
    this.flow = flow;
    this.#services = services;
    this.#store = new FlowStore(flow, services, (event) => void this.raise(event));
    this.#forms = new FlowForms(flow, services, this.#store);
    this.subscribe = this.#store.subscribe;
    this.#history = new FlowHistory(flow, services, this.#store, () => this.steps);
    this.steps =
      openSteps?.(flow, {
        forms: this.#forms,
        history: this.#history,
        load: (state, ahead) => this.#load(state, ahead),
        state: () => (this.#pendingState === null ? this.state : null),
        enter: (view, name, clear) => {
          this.#leave(view, clear);
          void this.#enter(name, { replace: false, variables: {}, direction: 'back' });
        },
        store: this.#store,
      }) ?? null;
  }

  get state(): RunningFlowState {
    return this.#store.state;
  }

  async arrive({ state, search, history, params = {}, pushed = false }: FlowArrival): Promise<void> {
    if (this.#history.isEndEntry(history)) return;
    const userId = this.#services.getUserId?.();
    const interrupted = this.#services.interrupted?.takeEventOnArrival(this.flow.id, state, userId);
    const stored = parseHistoryState(history, this.flow.id);
    // Ignores the history entry of the current view, because an event is already loading the next state.
    if (this.#pendingState !== null && stored?.step === this.state.view?.name && stored?.depth === this.#history.depth)
      return;
    // Ignores a history entry of an ended journey or of another user. The flow then starts from the beginning.
    const isObsolete =
      stored !== null && (this.steps?.consumeEndedEntry(stored) || this.#history.belongsToAnotherUser(stored));
    const entry = isObsolete ? null : stored;
    const known = entry && (this.#visited.has(entry.step) || this.steps?.hasCompletedSteps(entry));
    const targetState = known ? entry.step : state;
    const queryVariables = readQueryVariables(this.flow, search);
    const pathVariables = readPathVariables(this.flow, params);
    const linked = stored === null && pushed; // a new history entry without stored state: the user followed a link, which is a forward navigation
    const back = !linked && (stored?.depth ?? 0) < this.#history.depth;
    this.#history.depth = stored?.depth ?? this.#history.depth + (linked ? 1 : 0);
    const { view, failed, context } = this.state;
    const currentState = this.#pendingState ?? (failed ? null : view?.name);
    const same = Object.entries(pathVariables).every(([name, value]) => context[name] === value);
    if (!isObsolete && currentState === targetState && same && Object.keys(queryVariables).length === 0) return;
    if (view) this.#leave(view, (back ? view.state.clear : undefined) ?? []);
    const variables = { ...entry?.variables, ...queryVariables };
    this.#store.set({ arriving: view?.state.modal !== true && this.flow.states[targetState]?.modal !== true });
    this.#store.assignVariables({ ...context, ...variables, ...pathVariables });
    const direction = !view || view.state.modal ? 'none' : back ? 'back' : 'forward';
    const redirected = isObsolete || (stored && stored.step !== targetState) ? { redirected: true } : {}; // the URL names another state, so it must be rewritten
    await this.#enter(targetState, { replace: true, variables, direction, search, entry, ...redirected });
    if (interrupted) await this.#continue(interrupted);
  }

  async #continue({ state, event, form, context }: InterruptedEvent): Promise<void> {
    if (!this.state.view || this.state.busy || this.state.failed || this.#pendingState !== null) return;
    this.#store.assignVariables({ ...this.state.context, ...context });
    if (this.state.view.name !== state)
      await this.#enter(state, { replace: false, variables: {}, direction: 'forward' });
    const { view, busy } = this.state;
    const transition = event === null || view?.name !== state ? undefined : view.state.on?.[event];
    const effect = transition && findTransitionInvocation(transition);
    if (!view || !effect || busy) return;
    this.#pendingEvent = event;
    await this.#invoke(effect, this.#store.createScope(form), view);
  }

  /** Clears the view, and discards pending operations and loads. Called after a navigation to another flow. */
  depart(): void {
    this.#turn += 1;
    this.#pendingState = null;
    const { view } = this.state;
    if (view) this.#leave(view, []);
    this.#store.set({ view: null, viewBelowModal: null, notice: null, ...idleFlowStatus });
  }

  /**
   * Raises an event of the current state. `values` are values that a block sends in addition to its form. Ignores all events while a screen loads.
   * While an operation is pending, ignores a repetition of its event, and queues the latest other event. Raises the queued event if the operation
   * succeeds, the state is unchanged, and no notice is shown.
   */
  async raise(event: string, values: ValuesByName = {}): Promise<void> {
    const { view, busy } = this.state;
    if (!view || this.#pendingState !== null) return;
    if (busy) {
      if (event !== this.#pendingEvent) this.#queuedEvent = { event, values };
      return;
    }
    const transition = view.state.on?.[event];
    if (!transition)
      return event === 'back' ? this.back() : event === 'restart' ? this.steps?.restart?.(view) : undefined;
    const submitted =
      event === 'submit' && view.form ? view.form.submitPrepared() : { data: { ...view.form?.values, ...values } };
    const submission = submitted instanceof Promise ? await submitted : submitted;
    if (!submission || this.state.view !== view || this.state.busy) return; // the form is invalid, or another view or operation has replaced it
    this.#store.set({ notice: null });
    if (event === 'submit') this.steps?.recordSubmit(view);
    this.#pendingEvent = event;
    const effect = findTransitionInvocation(transition);
    const scope = this.#store.createScope(submission.data);
    if (effect) await this.#invoke(effect, scope, view);
    else await this.#follow(chooseFirstTrueBranch(this.flow, listDirectBranches(transition), scope), view, null);
  }

  /** Whether entering a state failed in a way that can be retried. */
  get unreached(): boolean {
    return this.#enterAgain !== null;
  }

  /** Retries to enter the state that could not be entered. Resolves to whether the retry succeeded. */
  async retry(): Promise<boolean> {
    if (!this.#enterAgain) return false;
    this.#store.set({ failed: false, arriving: true });
    await this.#enterAgain();
    return !this.state.failed;
  }

  /** Follows the state's `back`. Defaults to the previous step of the journey, or to the previous page if there is none. */
  back(): void {
    const { view, busy } = this.state;
    if (!view || busy || view.state.back === 'none') return;
    this.#leave(view, view.state.clear ?? []);
    const target = view.state.back ?? this.steps?.findPreviousStep(view.name);
    if (target && target !== 'history') void this.#enter(target, { replace: false, variables: {}, direction: 'back' });
    else {
      this.#store.closeModal(); // shows the view below the dialog at once, because the browser navigates back asynchronously
      this.#services.goBack();
    }
  }

  /** Re-renders the current view, e.g. in another language. Keeps the input. */
  redraw(): Promise<void> {
    return this.#forms.redrawViews((state) => this.#load(state));
  }

  /** Stores the input of the current step in the history entry, for a reload of the page. */
  storeInputInHistory(): void {
    const { view, arriving } = this.state;
    if (!this.steps || !view || arriving) return; // while another URL is loading, the history entry belongs to that URL, not to `view`
    this.#forms.storeInput(view, []);
    this.#history.updateEntry(view.name);
  }

  dismiss(): void {
    this.#store.set({ notice: null });
  }

  async #invoke(effect: OperationInvocation, scope: FlowRuleScope, view: FlowView): Promise<void> {
    const turn = (this.#turn += 1);
    const { name, params, body } = buildOperationRequest(effect, scope);
    const version = view.form ? view.screen?.validator.screen.version : undefined;
    this.#store.setBusy(view, true);
    const steps = effect.progress ? this.steps : null;
    const sent = steps ? await steps.combineForms(view, body) : { body, version };
    if (turn !== this.#turn || !sent) return; // another state has replaced this one, or a form of the journey is invalid
    const answer = await invokeOperation(this.#services, name, { params, ...sent });
    if (turn !== this.#turn) return;
    const queued = this.#queuedEvent;
    this.#queuedEvent = null;
    const now = { ...scope, context: this.state.context, facts: this.#services.facts() };
    if (answer.ok) {
      const outcome = chooseFirstTrueBranch(this.flow, effect.onDone, { ...now, result: answer.result });
      await this.#follow(outcome, view, null, steps);
      const hasFeedback = outcome.notice !== undefined || outcome.leave !== undefined;
      if (queued && !hasFeedback && this.state.view === view) await this.raise(queued.event, queued.values);
      return;
    }
    const { failure } = answer;
    if (failure.outdated) return this.#redraw(view, turn);
    const pressed = this.#pendingEvent !== null && this.#pendingEvent !== view.state.after?.event;
    const outcome =
      failure.status === 0 && pressed && view.screen // shows the error at the form, because the user can press the button again
        ? { context: now.context, clear: [], field: true }
        : chooseFirstTrueBranch(this.flow, effect.onError, { ...now, error: failure });
    if (failure.next !== undefined && outcome.leave === failure.next) {
      const { form = {}, context } = scope;
      const interrupted = { flow: this.flow.id, state: view.name, event: this.#pendingEvent, form, context };
      this.#services.interrupted?.storeEvent(interrupted, failure, this.#services.getUserId?.());
    }
    const redirected = (await steps?.redirectFailure(view, outcome, failure)) ?? outcome;
    if (turn === this.#turn) await this.#follow(redirected, view, failure);
  }

  // Enters the next state. The form stays busy while the next screen loads, so that nothing is sent twice.
  async #follow(
    outcome: TransitionOutcome,
    view: FlowView,
    failure: OperationFailure | null,
    finished: JourneySteps | null = null,
  ): Promise<void> {
    const { target, notice, leave } = outcome;
    this.#store.assignVariables(outcome.context);
    const moves = target !== undefined && target !== view.name && leave === undefined;
    this.#forms.clearFields(view, outcome.clear);
    if (failure || !moves) this.steps?.markStepIncomplete(view.name);
    if (!moves && leave === undefined) this.#history.updateEntry(view.name);
    if (moves) {
      const passing = isTransientState(view.state) || view.pending;
      this.#leave(view, []);
      finished?.finishJourney(view.name);
      this.#forms.storedForms.clear(target, outcome.clear);
      return this.#enter(target, {
        replace: passing,
        variables: passing ? this.#history.carriedVariables : {},
        direction: this.steps?.isBefore(target, view.name) ? 'back' : 'forward',
        notice,
        ...(failure && outcome.field ? { failure } : {}),
      });
    }
    if (finished && leave !== undefined) {
      this.depart(); // departs before the journey is finished, because departing stores the form of the last step
      finished.finishJourney(view.name);
      this.#history.writeEndEntry(view.name);
      return this.#services.leave(leave);
    }
    this.#store.setBusy(view, false);
    if (leave !== undefined && view.pending) return this.#services.leave(leave);
    const undrawn = isTransientState(view.state) || (view.pending && notice === undefined && target === undefined);
    if (failure && leave === undefined && undrawn) {
      if (failure.status === 0)
        this.#enterAgain = () =>
          this.#enter(view.name, { replace: true, variables: this.#history.carriedVariables, direction: 'none' });
      return this.#store.setFailed(); // the state has no screen to show the error on
    }
    const shown = view.pending ? this.#forms.openFormAfterOperation(view) : view;
    if (failure) this.#forms.showFailure(shown, failure, outcome.field);
    this.#forms.showNotice(shown, notice);
    if (leave !== undefined) this.#services.leave(leave);
  }

  async #enter(state: string, options: StateEntryOptions): Promise<void> {
    const turn = (this.#turn += 1);
    this.#pendingEvent = this.#queuedEvent = this.#enterAgain = null;
    const entered = resolveEnteredState(this.flow, state, this.#store.createScope());
    this.#store.assignVariables(entered.context);
    const definition = this.flow.states[entered.target];
    this.#pendingState = null;
    if (entered.leave !== undefined) {
      this.#store.set(idleFlowStatus);
      return this.#services.leave(entered.leave, { replace: options.replace }); // replaces the history entry, so that Back does not return to a state without a screen
    }
    if (!definition) return this.#store.setFailed();
    this.#pendingState = entered.target;
    if (options.entry !== undefined && this.steps) {
      const step = await this.steps.findEnterableState(entered.target, options.entry);
      if (turn !== this.#turn) return;
      if (step !== entered.target) return this.#enter(step, { ...options, entry: undefined, redirected: true });
    }
    const screen = await this.#load(definition);
    if (turn !== this.#turn) return;
    this.#pendingState = null;
    if (screen === undefined) {
      this.#enterAgain = () => this.#enter(state, options);
      return this.#store.setFailed();
    }
    this.#visited.add(entered.target);
    const view = this.#forms.openView(entered.target, definition, screen, options.direction);
    this.#store.enterView(view, findScreenNotice(screen, options.notice ?? entered.notice));
    this.steps?.showErrorsOnOpen(entered.target, view.form);
    if (options.failure) this.#forms.showFailure(view, options.failure, true);
    this.#forms.showNoticeAsFieldError(view);
    this.#history.writeState(entered.target, { redirected: entered.target !== state, ...options });
    if (definition.invoke) await this.#invoke(definition.invoke, this.#store.createScope(), view);
  }

  /** Loads the screen of a state. Returns `null` if the state has none, and `undefined` if loading fails. */
  async #load({ screen }: StateDefinition, ahead = false): Promise<LoadedScreen | null | undefined> {
    return screen === undefined ? null : loadScreen(this.#services, screen, ahead);
  }

  // Re-renders the state with newer rules of the server. Keeps the input.
  async #redraw(view: FlowView, turn: number): Promise<void> {
    await this.#services.refresh();
    const screen = await this.#load(view.state);
    if (turn !== this.#turn) return;
    this.#store.setBusy(view, false);
    this.#forms.replaceScreen(view, screen);
  }

  #leave(view: FlowView, clear: readonly string[]): void {
    this.steps?.reopenIfChanged(view);
    this.#forms.storeInput(view, clear);
    this.#forms.offerCarriedValues(view);
  }
}
