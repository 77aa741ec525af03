import type { Flow, JourneySaveOptions, JourneyStep } from '../core/flow-and-screen-types.ts';
import { listEarlierSteps } from '../core/journey-progress.ts';
import {
  droppedFieldsVariable,
  parseSavedJourney,
  pickSavedVariables,
  type SavedJourney,
} from '../core/saved-journey.ts';
import { resolveEnteredState } from '../core/transition.ts';
import { validateScreenForm, isEmptyValue } from '../core/validate-screen-form.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState } from './flow-services.ts';
import { findScreenNotice, type FlowView } from './flow-state.ts';
import { InMemoryJourneySteps, type JourneyRequestBody, type JourneyStepsHost } from './journey-steps.ts';

/** Saved journeys of the signed-in user, by flow. Its methods never throw. If saving fails, a journey exists only in this page. */
export interface JourneyStore {
  readonly owner: () => string | null;
  /** Returns the saved journey, not yet validated. Returns any other value if nothing was saved. */
  readonly load: (flow: string) => Promise<unknown>;
  readonly save: (flow: string, journey: SavedJourney) => Promise<void>;
  readonly forget: (flow: string) => Promise<void>;
}

export type FlowWithSavedJourneys = Flow & { readonly save: JourneySaveOptions };

/** Steps of a journey that is saved at each change of step, and resumed at its latest step. Only loaded for flows that save progress. */
export class SavedJourneySteps extends InMemoryJourneySteps {
  readonly #flow: FlowWithSavedJourneys;
  readonly #journeys: JourneyStore;
  #owner: string | null = null;
  #hasLoaded = false;
  #lastStep: string | null = null;
  /** Labels of the fields whose saved values were invalid, until the notice is shown. `null` if no journey was resumed. */
  #dropped: readonly string[] | null = null;
  /** Pending saves, which run sequentially, so that the latest wins. */
  #saving: Promise<void> = Promise.resolve();

  constructor(flow: FlowWithSavedJourneys, host: JourneyStepsHost, journeys: JourneyStore) {
    super(flow, host);
    this.#flow = flow;
    this.#journeys = journeys;
  }

  override async findEnterableState(wanted: string, entry: HistoryState | null): Promise<string> {
    const owner = this.#journeys.owner();
    if (this.#owner !== null && owner !== this.#owner) this.#clearSteps(this.#steps.flat()); // clears the input of another user
    const known = owner === this.#owner;
    this.#owner = owner;
    if (known && this.#hasLoaded) return super.findEnterableState(wanted, entry);
    this.#hasLoaded = false;
    if (owner === null || !this.isStep(wanted)) return super.findEnterableState(wanted, entry);
    this.#hasLoaded = true;
    const journey = parseSavedJourney(await this.#journeys.load(this.#flow.id));
    if (!journey) return super.findEnterableState(wanted, entry);
    await this.restoreFromEntry(wanted, entry);
    await this.#restore(journey);
    const goal = this.#findFirstStop(entry === null && this.isStep(journey.state) ? journey.state : wanted);
    const done = [...journey.done, ...(entry?.done ?? [])];
    return super.findEnterableState(goal, { flow: this.#flow.id, step: goal, variables: {}, depth: 0, ...entry, done });
  }

  override showErrorsOnOpen(state: string, form: FormModel | null): void {
    super.showErrorsOnOpen(state, form);
    if (!this.isStep(state)) return;
    const before = this.#lastStep;
    this.#lastStep = state;
    if (this.#dropped) this.#showNotice(this.#dropped);
    else if (before !== null && before !== state) this.#save(state);
  }

  override async combineForms(view: FlowView, body: unknown): Promise<JourneyRequestBody | null> {
    await this.#saving; // waits for a pending save, which could otherwise restore the ended journey
    return super.combineForms(view, body);
  }

  override finishJourney(state: string): void {
    super.finishJourney(state);
    this.#lastStep = null;
  }

  restart(view: FlowView): void {
    const journey = this.#steps.find((steps) => steps.some(({ state }) => state === view.name));
    if (!journey?.[0]) return;
    const { store } = this.host;
    const first = Object.entries(this.#flow.context ?? {}).flatMap(([name, { saved, default: value = null }]) =>
      saved ? [[name, value] as const] : [],
    );
    store.assignVariables({ ...store.state.context, ...Object.fromEntries(first) });
    this.host.enter(view, journey[0].state, []);
    // Clears the forms only after `enter`, which stores the input of the view that it leaves. The first step opens its form later, without input.
    this.#clearSteps(journey);
    this.#lastStep = null;
    this.#saving = this.#saving.then(() => this.#journeys.forget(this.#flow.id));
  }

  get #steps(): readonly (readonly JourneyStep[])[] {
    return this.#flow.progress ?? [];
  }

  #clearSteps(steps: readonly JourneyStep[]): void {
    for (const { state } of steps) {
      this.markStepIncomplete(state);
      this.host.forms.storedForms.byState.delete(state);
    }
  }

  async #restore({ forms, variables }: SavedJourney): Promise<void> {
    const { store, forms: flowForms } = this.host;
    store.assignVariables({ ...store.state.context, ...pickSavedVariables(this.#flow.context, variables) });
    const dropped: string[] = [];
    await this.restoreForms(forms, (form) => dropped.push(...clearInvalidFields(form)));
    const restored = this.#steps
      .flat()
      .some(
        ({ state }) => Object.hasOwn(forms, state) && Object.keys(flowForms.storedForms.findValues(state)).length > 0,
      );
    if (restored || dropped.length > 0) this.#dropped = dropped;
  }

  /** Returns the first step up to `goal` that redirects, leaves the flow or shows a notice. Returns `goal` if there is none. */
  #findFirstStop(goal: string): string {
    const { store } = this.host;
    const journey = [
      ...listEarlierSteps(this.#flow, goal, this.host.forms.createStepScope()).map(({ state }) => state),
      goal,
    ];
    const blockingState = journey.find((state) => {
      const { target, leave, notice } = resolveEnteredState(this.#flow, state, store.createScope());
      return target !== state || leave !== undefined || notice !== undefined;
    });
    return blockingState ?? goal;
  }

  #showNotice(dropped: readonly string[]): void {
    const { store } = this.host;
    const { resumed, refused } = this.#flow.save;
    this.#dropped = null;
    store.assignVariables({ ...store.state.context, [droppedFieldsVariable]: dropped.join(', ') });
    const name = dropped.length > 0 ? refused : resumed;
    if (store.state.notice !== null) return; // the step's own notice takes precedence over the notice about the resumed journey
    store.set({ notice: findScreenNotice(store.state.view?.screen ?? null, name) });
  }

  #save(state: string): void {
    if (this.#owner === null || this.#journeys.owner() !== this.#owner) return;
    const { context } = this.host.store.state;
    const { done, forms } = this;
    const journey = { state, done, forms, variables: pickSavedVariables(this.#flow.context, context) };
    this.#saving = this.#saving.then(() => this.#journeys.save(this.#flow.id, journey));
  }
}

/** Clears the invalid fields of a form, and returns their labels. Missing values are not invalid. */
function clearInvalidFields(form: FormModel): readonly string[] {
  const dropped = new Map<string, string>();
  for (;;) {
    const { errors } = validateScreenForm(form.validator, form.values, form.context);
    const refused = Object.keys(errors).filter((name) => !dropped.has(name) && !isEmptyValue(form.field(name)?.value));
    if (refused.length === 0) return [...dropped.values()];
    // Clearing these values may make other values invalid, so the outer loop validates the form again.
    for (const name of refused) dropped.set(name, form.findFieldLabel(name));
    for (const name of refused) form.field(name)?.set(undefined);
  }
}
