import type { CallFailure } from '../core/call.ts';
import type { Effect, Flow, State } from '../core/definition.ts';
import type { Values } from '../core/json.ts';
import { fillPath } from '../core/route.ts';
import {
  branchesOf,
  callOf,
  choose,
  delayOf,
  effectOf,
  enter,
  prefillOf,
  type FlowScope,
  type Outcome,
} from '../core/transition.ts';
import { pathVariables, queryVariables } from './address.ts';
import { delayedEvent } from './delayed-event.ts';
import type { Draft } from './draft.ts';
import type { FlowServices, LoadedScreen } from './flow-services.ts';
import {
  idle,
  isPassage,
  noticeOf,
  readHistory,
  waitsForCall,
  type Arrival,
  type Entrance,
  type FlowState,
  type View,
} from './flow-state.ts';

/**
 * Runs one flow: enters states by their guards, raises events, invokes calls, and keeps context and drafts. The
 * position is never trusted: every arrival, also from history, is checked against the entry guards again.
 */
export class FlowRunner {
  readonly flow: Flow;
  readonly #services: FlowServices;
  readonly #drafts = new Map<string, Values>();
  readonly #visited = new Set<string>();
  #turn = 0;
  /** The state whose screen is being loaded. */
  #heading: string | null = null;
  #depth = 0;
  /** Query variables that the history entry of now carries. */
  #carried: Values = {};
  /** Kept variables, as the history entry of now has them. */
  #entered: Values = {};
  readonly #listeners = new Set<() => void>();
  readonly #delayed = delayedEvent(
    () => this.#state.busy,
    () => void this.raise(this.#state.view?.state.after?.event ?? ''),
  );
  #state: FlowState;

  constructor(flow: Flow, services: FlowServices) {
    this.flow = flow;
    this.#services = services;
    const defaults = Object.entries(flow.context ?? {}).map(([name, variable]) => [name, variable.default ?? null]);
    const recalled = Object.entries(services.recall(flow.id)).filter(([name]) => this.#persists(name));
    const context = { ...Object.fromEntries(defaults), ...Object.fromEntries(recalled) };
    this.#state = { context, view: null, below: null, notice: null, ...idle };
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

  /** Follows the browser to an address of this flow. */
  async arrive({ state, search, history, params = {}, pushed = false }: Arrival): Promise<void> {
    const entry = readHistory(history, this.flow.id);
    const wanted = entry && this.#visited.has(entry.step) ? entry.step : state;
    const asked = queryVariables(this.flow, search);
    const named = pathVariables(this.flow, params);
    const linked = entry === null && pushed; // a link that leads to where one was is a way on
    const back = !linked && (entry?.depth ?? 0) < this.#depth;
    this.#depth = entry?.depth ?? (linked ? this.#depth + 1 : this.#depth);
    const { view, failed, context } = this.#state;
    const here = this.#heading ?? (failed ? null : view?.name);
    const same = Object.entries(named).every(([name, value]) => context[name] === value);
    if (here === wanted && same && Object.keys(asked).length === 0) return;
    if (view) this.#keepDraft(view, (back ? view.state.clear : undefined) ?? []);
    const variables = { ...entry?.variables, ...asked };
    this.#set({ arriving: view?.state.modal !== true && this.flow.states[wanted]?.modal !== true });
    this.#assign({ ...context, ...variables, ...named });
    const direction = !view || view.state.modal ? 'none' : back ? 'back' : 'forward';
    await this.#enter(wanted, { replace: true, variables, direction, search });
  }

  /** The browser has gone to another flow: running calls and loads end here, and the next arrival is checked as the first. */
  depart(): void {
    this.#turn += 1;
    this.#heading = null;
    const { view } = this.#state;
    if (view) this.#keepDraft(view, []);
    this.#set({ view: null, below: null, notice: null, ...idle });
  }

  /** Raises an event of the current state, a block with the values that it sends. A second one while a call runs or a screen loads is ignored. */
  async raise(event: string, values: Values = {}): Promise<void> {
    const { view, busy } = this.#state;
    if (!view || busy || this.#heading !== null) return;
    const transition = view.state.on?.[event];
    if (!transition) return event === 'back' ? this.back() : undefined;
    const submission = event === 'submit' && view.draft ? view.draft.submit() : { data: view.draft?.values ?? values };
    if (!submission) return;
    this.#set({ notice: null });
    const effect = effectOf(transition);
    const scope = this.#scope({ form: submission.data });
    if (effect) await this.#invoke(effect, scope, view);
    else await this.#follow(choose(this.flow, branchesOf(transition), scope), view, null);
  }

  /** Goes back as the state declares. */
  back(): void {
    const { view, below, busy } = this.#state;
    if (!view || busy || view.state.back === 'none') return;
    this.#keepDraft(view, view.state.clear ?? []);
    const target = view.state.back;
    if (target && target !== 'history') void this.#enter(target, { replace: false, variables: {}, direction: 'back' });
    else {
      if (below) this.#uncover(view.state, below);
      this.#services.goBack();
    }
  }

  /** Draws what is shown from its screens as they are now, in another language; what was typed stays. */
  async redraw(): Promise<void> {
    const { view, below, notice } = this.#state;
    const [shown, under] = await Promise.all(
      [view, below].map(async (old) => (old?.screen ? { old, screen: await this.#load(old.state) } : null)),
    );
    const drawn = (from: typeof shown): View | null =>
      from?.screen
        ? {
            ...from.old,
            screen: from.screen,
            draft: from.screen.open(from.old.draft?.values ?? {}, this.#ruleContext()),
            direction: 'none',
          }
        : null;
    if (this.#state.view !== view) return; // another state has taken over
    const name = Object.entries(view?.screen?.validator.screen.ui.notices ?? {}).find(
      ([, known]) => known === notice,
    )?.[0];
    this.#set({
      view: drawn(shown) ?? view,
      below: drawn(under) ?? below,
      notice: noticeOf(shown?.screen ?? null, name) ?? notice,
    });
  }

  dismiss(): void {
    this.#set({ notice: null });
  }

  async #invoke(effect: Effect, scope: FlowScope, view: View): Promise<void> {
    const turn = (this.#turn += 1);
    const { name, params, body } = callOf(effect, scope);
    const screen = view.screen?.validator.screen;
    this.#setBusy(view, true);
    const answer = await this.#services.invoke(name, {
      params,
      body,
      ...(screen && view.draft ? { version: screen.version } : {}),
    });
    if (turn !== this.#turn) return; // another state has taken over
    const now = { ...scope, context: this.#state.context, facts: this.#services.facts() };
    if (answer.ok) return this.#follow(choose(this.flow, effect.onDone, { ...now, result: answer.result }), view, null);
    if (answer.failure.outdated) return this.#redraw(view, turn);
    await this.#follow(choose(this.flow, effect.onError, { ...now, error: answer.failure }), view, answer.failure);
  }

  // While the next screen loads the form stays busy, so that nothing is sent twice.
  async #follow(outcome: Outcome, view: View, failure: CallFailure | null): Promise<void> {
    const { target, notice, leave } = outcome;
    this.#assign(outcome.context);
    const moves = target !== undefined && target !== view.name && leave === undefined;
    for (const pointer of outcome.clear) view.draft?.field(pointer.slice(1))?.set(undefined);
    if (!moves && leave === undefined) this.#keepInEntry(view);
    if (moves) {
      const passing = isPassage(view.state) || view.pending;
      this.#keepDraft(view, []);
      return this.#enter(target, {
        replace: passing,
        variables: passing ? this.#carried : {},
        direction: 'forward',
        notice,
      });
    }
    this.#setBusy(view, false);
    if (leave !== undefined && view.pending) return this.#services.leave(leave);
    const undrawn = isPassage(view.state) || (view.pending && notice === undefined);
    if (failure && leave === undefined && undrawn) return this.#set({ ...idle, failed: true }); // it draws nothing that could say so
    const shown = view.pending ? this.#reveal(view) : view;
    if (failure) this.#refuse(shown, failure, outcome.field);
    if (notice !== undefined) this.#set({ notice: noticeOf(shown.screen, notice) });
    if (leave !== undefined) this.#services.leave(leave);
  }

  // What its call answered may fill the form.
  #reveal(view: View): View {
    const draft = view.screen && this.#openDraft(view.name, view.state, view.screen);
    const shown = { ...view, draft, pending: false };
    this.#set({ view: shown });
    return shown;
  }

  #refuse({ draft }: View, failure: CallFailure, onFields: boolean): void {
    if (draft)
      draft.refuse(
        onFields ? failure.errors : {},
        onFields && Object.keys(failure.errors).length === 0 ? failure.error : null,
      );
    else if (onFields) this.#set({ notice: { intent: 'error', text: failure.error } });
  }

  async #enter(state: string, options: Entrance): Promise<void> {
    const turn = (this.#turn += 1);
    const entered = enter(this.flow, state, this.#scope({}));
    this.#assign(entered.context);
    const definition = this.flow.states[entered.target];
    this.#heading = null;
    if (entered.leave !== undefined) {
      this.#set(idle);
      return this.#services.leave(entered.leave, { replace: options.replace }); // Back must not lead to where nothing is drawn
    }
    if (!definition) return this.#set({ ...idle, failed: true });
    this.#heading = entered.target;
    const screen = await this.#load(definition);
    if (turn !== this.#turn) return;
    this.#heading = null;
    if (screen === undefined) return this.#set({ ...idle, failed: true });
    this.#visited.add(entered.target);
    this.#delayed.enter();
    const pending = waitsForCall(definition);
    const draft = screen && !pending ? this.#openDraft(entered.target, definition, screen) : null;
    const view = { name: entered.target, state: definition, screen, draft, direction: options.direction, pending };
    this.#set({
      ...idle,
      notice: noticeOf(screen, options.notice ?? entered.notice),
      view,
      below: this.#belowOf(definition),
    });
    this.#showAddress(entered.target, definition, options, entered.target !== state);
    if (definition.invoke) await this.#invoke(definition.invoke, this.#scope({}), view);
  }

  /** The state's screen, null of a state without one, undefined when it cannot be loaded. */
  async #load(definition: State): Promise<LoadedScreen | null | undefined> {
    if (definition.screen === undefined) return null;
    return this.#services.loadScreen(definition.screen).catch(() => undefined);
  }

  // The server has newer rules: draws the same state from them and keeps what was typed.
  async #redraw(view: View, turn: number): Promise<void> {
    await this.#services.refresh();
    const screen = await this.#load(view.state);
    if (turn !== this.#turn) return;
    this.#setBusy(view, false);
    if (!screen) return this.#set({ failed: true });
    const values = view.draft?.values ?? {};
    const draft = screen.open(values, this.#ruleContext());
    this.#set({ view: { ...view, screen, draft, direction: 'none', pending: false } });
    draft?.refuse({}, this.#services.text('outdated'));
  }

  #showAddress(name: string, state: State, options: Entrance, redirected: boolean): void {
    this.#carried = options.variables;
    this.#entered = this.#inEntry();
    const hasQuery = Object.keys(queryVariables(this.flow, options.search ?? '')).length > 0;
    if (options.search !== undefined && !hasQuery && !redirected) return; // an arrival: the address is right
    if (!options.replace) this.#depth += 1;
    const path = state.path === undefined || state.path === '*' ? '' : fillPath(state.path, this.#state.context);
    this.#services.navigate(path, {
      replace: options.replace,
      state: {
        flow: this.flow.id,
        step: name,
        variables: { ...this.#inEntry(), ...options.variables },
        depth: this.#depth,
      },
    });
  }

  /** What changed without a move is kept in the history entry of now. */
  #keepInEntry({ name }: View): void {
    const kept = this.#inEntry();
    if (Object.entries(kept).every(([variable, value]) => this.#entered[variable] === value)) return;
    this.#entered = kept;
    this.#services.navigate('', {
      replace: true,
      state: { flow: this.flow.id, step: name, variables: { ...this.#carried, ...kept }, depth: this.#depth },
    });
  }

  /** The variables that the history entry keeps. */
  #inEntry(): Values {
    return Object.fromEntries(
      Object.entries(this.#state.context).filter(
        ([name, value]) => value !== null && this.flow.context?.[name]?.persist === 'entry',
      ),
    );
  }

  #openDraft(name: string, state: State, screen: LoadedScreen): Draft | null {
    return screen.open({ ...prefillOf(state, this.#scope({})), ...this.#drafts.get(name) }, this.#ruleContext());
  }

  // What lies below a dialog is there already: it need not wait for the browser.
  #uncover({ modal }: State, below: View): void {
    if (modal) this.#set({ ...idle, view: below, below: null, notice: null });
  }

  // A dialog lies over what is shown; what only decides in between leaves both as they are.
  #belowOf(next: State): View | null {
    const { view, below } = this.#state;
    if (below && isPassage(next)) return below;
    if (!next.modal || !view) return null;
    return below ?? (isPassage(view.state) ? null : view);
  }

  #keepDraft(view: View, clear: readonly string[]): void {
    if (!view.draft) return;
    const secrets = view.draft.validator.screen.fields.filter(({ secret }) => secret).map(({ name }) => name);
    const dropped = new Set([...secrets, ...clear.map((pointer) => pointer.slice(1))]);
    this.#drafts.set(
      view.name,
      Object.fromEntries(Object.entries(view.draft.values).filter(([name]) => !dropped.has(name))),
    );
  }

  #assign(context: Values): void {
    this.#set({ context });
    const kept = Object.entries(context).filter(([name]) => this.#persists(name));
    if (kept.length > 0) this.#services.remember(this.flow.id, Object.fromEntries(kept));
  }

  #persists(name: string): boolean {
    return this.flow.context?.[name]?.persist === true;
  }

  #setBusy(view: View, busy: boolean): void {
    view.draft?.setBusy(busy);
    this.#set({ busy });
  }

  #set(change: Partial<FlowState>): void {
    this.#state = { ...this.#state, ...change };
    if ('view' in change || 'context' in change)
      this.#delayed.wait(this.#state.view && delayOf(this.#state.view.state, this.#scope({}), this.#services.now()));
    for (const listener of this.#listeners) listener();
  }

  #ruleContext(): Values {
    return { ...this.#services.facts(), context: this.#state.context };
  }

  #scope({ form }: { form?: Values }): FlowScope {
    return { ...(form ? { form } : {}), context: this.#state.context, facts: this.#services.facts() };
  }
}
