import { when } from 'mobx';
import type { OperationFailure, OperationInput } from '../core/operation-result.ts';
import type { Flow, StateDefinition } from '../core/flow-and-screen-types.ts';
import { asObject, type ValuesByName } from '../core/json.ts';
import {
  type ProgressBarStep,
  buildProgressBar,
  findJourneySteps,
  listIncludedSteps,
  listEarlierSteps,
} from '../core/journey-progress.ts';
import { pickSavedForm } from '../core/saved-journey.ts';
import type { CompiledScreen } from '../core/compiled-screen.ts';
import type { TransitionOutcome } from '../core/transition.ts';
import { validateScreenForm } from '../core/validate-screen-form.ts';
import type { FormModel } from './form/form-model.ts';
import type { HistoryState, LoadedScreen } from './flow-services.ts';
import type { RunningFlowState, FlowView } from './flow-state.ts';
import type { FlowStore } from './flow-store.ts';
import type { FlowHistory } from './flow-history.ts';
import type { FlowForms } from './flow-forms.ts';
import { listReviewedSteps, type ReviewedAnswers } from './reviewed-answers.ts';

export function createJourneySteps(flow: Flow, host: JourneyStepsHost): JourneySteps {
  return new InMemoryJourneySteps(flow, host);
}

export class InMemoryJourneySteps {
  readonly #flow: Flow;
  protected readonly host: JourneyStepsHost;
  /** Submitted values of each completed step, as JSON. */
  readonly #done = new Map<string, string>();
  /** Server errors of steps that are not open, by state. */
  readonly #refused = new Map<string, Readonly<Record<string, string>>>();

  readonly #opened = new Set<string>();
  #endedDepth = -1;
  #hasRecalled = false;
  #invalidStep: string | null = null;

  constructor(flow: Flow, host: JourneyStepsHost) {
    this.#flow = flow;
    this.host = host;
  }

  /** States of the completed steps. A step is complete if its form was submitted and has not changed since. */
  get done(): readonly string[] {
    return [...this.#done.keys()];
  }

  /** Form values of the steps by state. Omits secrets and other fields that are not saved. */
  get forms(): Readonly<Record<string, ValuesByName>> {
    const snapshots = [...this.host.forms.storedForms.byState].filter(([state]) => this.isStep(state));
    const forms = snapshots.map(
      ([state, { screen, values }]) => [state, this.#pickSaved(screen.validator.screen, values)] as const,
    );
    return Object.fromEntries(forms.filter(([, form]) => Object.keys(form).length > 0));
  }

  buildBar({ name, screen, state }: FlowView): ProgressBar | null {
    const bar = buildProgressBar(
      this.#flow,
      name,
      this.host.forms.createStepScope(),
      screen?.validator.screen.language ?? '',
    );
    const final = state.back === 'none'; // `back: "none"` marks the end of the journey, which has no links to its earlier steps
    const steps = bar?.map((step) =>
      final || step.place !== 'before' ? step : { ...step, href: this.host.history.buildStateUrl(step.state) },
    );
    return steps ? { steps, returnTo: (to) => this.returnTo(to) } : null;
  }

  review(view: FlowView): ReviewedAnswers | null {
    const steps = listReviewedSteps(this.#flow, view, this.host.forms);
    return steps && { steps, change: (state) => this.returnTo(state) };
  }

  hasCompletedSteps({ step, done = [] }: HistoryState): boolean {
    return done.length > 0 && this.isStep(step);
  }

  findPreviousStep(state: string): string | undefined {
    return listEarlierSteps(this.#flow, state, this.host.forms.createStepScope()).at(-1)?.state;
  }

  isBefore(state: string, from: string): boolean {
    return listEarlierSteps(this.#flow, from, this.host.forms.createStepScope()).some((step) => step.state === state);
  }

  recordSubmit({ name, form }: FlowView): void {
    if (form && this.isStep(name)) this.#done.set(name, JSON.stringify(form.values));
  }

  markStepIncomplete(state: string): void {
    this.#done.delete(state);
  }

  /** Marks a step as incomplete if its form has changed since the submit. Called when the step is left. */
  reopenIfChanged({ name, form }: FlowView): void {
    if (form && this.#done.get(name) !== JSON.stringify(form.values)) this.#done.delete(name);
  }

  /** Returns the first incomplete step before `wanted`, or else `wanted` itself. A completed step stays complete if its stored values are valid. */
  async findEnterableState(wanted: string, entry: HistoryState | null): Promise<string> {
    await this.restoreFromEntry(wanted, entry);
    for (const { state } of listEarlierSteps(this.#flow, wanted, this.host.forms.createStepScope())) {
      if (this.#done.has(state)) continue;
      const form = await this.#openForm(state);
      if (form === null) continue; // a state without a form is always complete
      const wasDone = !this.#opened.has(state) && entry?.done?.includes(state); // the history entry is outdated for a step that was opened after the reload
      if (!wasDone || !form?.ready) return state;
      this.#done.set(state, JSON.stringify(form.values));
    }
    return wanted;
  }

  returnTo(state: string): void {
    const { view, busy } = this.host.state() ?? {};
    if (!view || busy || view.state.back === 'none' || !this.isBefore(state, view.name)) return;
    this.host.enter(view, state, view.state.clear ?? []);
  }

  /** Merges `body` and the forms of the steps up to `view`. Returns `null` if a form cannot be loaded or is invalid. Opens an invalid step. */
  async combineForms(view: FlowView, body: unknown): Promise<JourneyRequestBody | null> {
    const bodies: ValuesByName[] = [];
    const versions: string[] = [];
    for (const { state } of [
      ...listEarlierSteps(this.#flow, view.name, this.host.forms.createStepScope()),
      { state: view.name },
    ]) {
      const form = state === view.name ? view.form : await this.#openForm(state);
      if (form === undefined) {
        this.host.store.setFailed();
        return null;
      }
      if (form === null) continue;
      const { data, errors } = validateScreenForm(form.validator, form.values, form.context);
      if (Object.keys(errors).length > 0) {
        this.#invalidStep = state;
        this.host.enter(view, state, []);
        return null;
      }
      bodies.push(data);
      versions.push(form.validator.screen.version);
    }
    const all = Object.assign({}, ...bodies, asObject(body)) as ValuesByName; // `Object.assign` returns `any`
    return { body: all, version: versions.sort().join('.') };
  }

  /** Redirects a failure to the first step with an invalid field. Each step shows its own errors when it opens. */
  async redirectFailure(
    { name, form }: FlowView,
    outcome: TransitionOutcome,
    { errors = {} }: OperationFailure,
  ): Promise<TransitionOutcome> {
    if (!outcome.field || outcome.target !== undefined) return outcome;
    const unassigned = new Map(Object.entries(errors));
    const takeErrorsOf = (own: FormModel | null | undefined): Record<string, string> => {
      const ownErrors = [...unassigned].filter(([field]) => own?.field(field) !== undefined);
      for (const [field] of ownErrors) unassigned.delete(field);
      return Object.fromEntries(ownErrors);
    };
    const ofHere = takeErrorsOf(form);
    const refused = new Map<string, Readonly<Record<string, string>>>();
    for (const { state } of listEarlierSteps(this.#flow, name, this.host.forms.createStepScope())) {
      const own = takeErrorsOf(await this.#openForm(state));
      if (Object.keys(own).length > 0) refused.set(state, own);
    }
    const [first] = refused.keys();
    if (first === undefined) return outcome;
    for (const [state, own] of refused) this.#refused.set(state, own);
    this.#refused.set(first, { ...refused.get(first), ...Object.fromEntries(unassigned) }); // also shows the errors of fields that no step has
    if (Object.keys(ofHere).length > 0) this.#refused.set(name, ofHere);
    return { ...outcome, target: first, field: false };
  }

  /** Shows the errors of a step that has just opened: the stored server errors, or all messages if the step is invalid. */
  showErrorsOnOpen(state: string, form: FormModel | null): void {
    this.#opened.add(state);
    const refused = this.#refused.get(state);
    this.#refused.delete(state);
    if (refused) form?.refuse(refused, null);
    if (this.#invalidStep === state) form?.submit();
    this.#invalidStep = null;
    if (form) this.#loadAhead(state, form);
  }

  #loadAhead(state: string, form: FormModel): void {
    const steps = listIncludedSteps(this.#flow, state, this.host.forms.createStepScope());
    const next = steps[steps.findIndex((step) => step.state === state) + 1];
    const definition = next && this.#flow.states[next.state];
    if (!definition) return;
    const shown = JSON.stringify(form.values);
    when(
      () => JSON.stringify(form.values) !== shown,
      () => void this.host.load(definition, true),
    );
  }

  finishJourney(state: string): void {
    for (const step of findJourneySteps(this.#flow, state)) {
      this.#done.delete(step.state);
      this.#refused.delete(step.state);
      this.host.forms.storedForms.byState.delete(step.state);
    }
    this.host.forms.withdrawCarriedValues();
    this.#endedDepth = this.host.history.depth;
  }

  /** Highest history depth of an ended journey. -1 if no journey has ended. */
  get endedDepth(): number {
    return this.#endedDepth;
  }

  /** Whether a history entry belongs to an ended journey. If so, a new journey starts with this entry. */
  consumeEndedEntry({ depth, endedDepth = -1 }: HistoryState): boolean {
    this.#endedDepth = Math.max(this.#endedDepth, endedDepth); // after a reload, the value in memory is -1, so the value of the history entry is used
    if (depth > this.#endedDepth) return false;
    this.#endedDepth = depth - 1;
    return true;
  }

  /** Opens the form of another step with its stored input. Returns `null` if it has no form, or `undefined` if its screen cannot be loaded. */
  async #openForm(state: string): Promise<FormModel | null | undefined> {
    const definition = this.#flow.states[state];
    const screen = definition && (await this.host.load(definition));
    if (!screen) return screen === null ? null : undefined;
    return this.host.forms.openStateForm(state, definition, screen);
  }

  /** Restores the forms of the first history entry after a reload. Ignores later entries, because the input in memory is newer. */
  protected async restoreFromEntry(wanted: string, entry: HistoryState | null): Promise<void> {
    if (this.#hasRecalled || !this.isStep(wanted)) return;
    this.#hasRecalled = true;
    if (entry?.forms) await this.restoreForms(entry.forms, () => undefined);
  }

  /** Restores the forms of steps without input. Omits fields that the screens do not have. `mend` may clear invalid fields. */
  protected async restoreForms(
    forms: Readonly<Record<string, ValuesByName>>,
    mend: (form: FormModel) => void,
  ): Promise<void> {
    const { forms: flowForms, load } = this.host;
    const { storedForms: kept } = flowForms;
    for (const { state } of this.#flow.progress?.flat() ?? []) {
      const definition = this.#flow.states[state];
      const filled = Object.hasOwn(forms, state) ? forms[state] : undefined;
      if (!definition || !filled || Object.keys(kept.findValues(state)).length > 0) continue; // keep existing input, which is newer than the restored forms
      const loaded = await load(definition);
      if (!loaded) continue;
      const { screen } = loaded.validator;
      kept.byState.set(state, { screen: loaded, values: this.#pickSaved(screen, filled), visible: {} });
      const form = flowForms.openStateForm(state, definition, loaded);
      if (!form) continue;
      mend(form);
      const [values, visible] = [this.#pickSaved(screen, form.values), this.#pickSaved(screen, form.visibleValues)];
      kept.byState.set(state, { screen: loaded, values, visible });
    }
  }

  #pickSaved(screen: CompiledScreen, values: ValuesByName): ValuesByName {
    return pickSavedForm(screen, this.#flow.save ?? {}, values);
  }

  protected isStep(state: string): boolean {
    return findJourneySteps(this.#flow, state).length > 0;
  }
}

export interface ProgressBar {
  /** `href` is present if the user may return to the step. It is empty if the step has no URL. */
  readonly steps: readonly (ProgressBarStep & { readonly href?: string })[];
  readonly returnTo: (state: string) => void;
}

export type JourneyRequestBody = Required<Pick<OperationInput, 'body' | 'version'>>;

export interface JourneyStepsHost {
  readonly forms: FlowForms;
  readonly history: FlowHistory;
  /** `ahead` marks a preload, whose screen is not needed yet. */
  readonly load: (state: StateDefinition, ahead?: boolean) => Promise<LoadedScreen | null | undefined>;
  /** Returns the view and status of the flow. Returns `null` while a screen loads. */
  readonly state: () => RunningFlowState | null;
  /** Navigates back from a view to a state. `clear` contains JSON pointers of form values to clear. */
  readonly enter: (view: FlowView, state: string, clear: readonly string[]) => void;
  readonly store: FlowStore;
}

/** Public members of `InMemoryJourneySteps`. Only `SavedJourneySteps` has `restart`. */
export type JourneySteps = Pick<InMemoryJourneySteps, keyof InMemoryJourneySteps> & {
  restart?(view: FlowView): void;
};

export type JourneyStepsFactory = (flow: Flow, host: JourneyStepsHost) => JourneySteps;
