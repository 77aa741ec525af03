import type { Flow, StateDefinition } from '../core/flow-and-screen-types.ts';
import { parseFieldPointer, setFieldValue } from '../core/field-path.ts';
import type { ValuesByName } from '../core/json.ts';
import { fillPlaceholders } from '../core/messages.ts';
import type { OperationFailure } from '../core/operation-result.ts';
import { copyEarlierAnswers, addEarlierAnswers } from '../core/earlier-answers.ts';
import { listEarlierSteps, type StepGuardScope } from '../core/journey-progress.ts';
import { renderCarriedValues, renderPrefillValues, createFlowRuleData } from '../core/transition.ts';
import type { FormModel } from './form/form-model.ts';
import type { FlowServices, LoadedScreen } from './flow-services.ts';
import { findScreenNotice, isRenderedAfterOperation, type FlowView } from './flow-state.ts';
import type { FlowStore } from './flow-store.ts';

export class FlowForms {
  readonly storedForms = new FormSnapshots();
  readonly #flow: Flow;
  readonly #services: FlowServices;
  readonly #store: FlowStore;

  constructor(flow: Flow, services: FlowServices, store: FlowStore) {
    this.#flow = flow;
    this.#services = services;
    this.#store = store;
  }

  /** Opens the view of a state with its form. If the state's own operation has to run first, the form is opened after it. */
  openView(
    name: string,
    state: StateDefinition,
    screen: LoadedScreen | null,
    direction: FlowView['direction'],
  ): FlowView {
    const pending = isRenderedAfterOperation(state);
    const form = screen && !pending ? this.openStateForm(name, state, screen) : null;
    return { name, state, screen, form, direction, pending };
  }

  /** Opens the form of a state. Previous input overrides `prefill`. */
  openStateForm(name: string, state: StateDefinition, screen: LoadedScreen): FormModel | null {
    const values = { ...renderPrefillValues(state, this.#store.createScope()), ...this.storedForms.findValues(name) };
    return screen.open(values, this.#context(name, screen));
  }

  #context(name: string, { validator }: LoadedScreen): ValuesByName {
    const context = this.#store.createRuleContext();
    if (validator.screen.earlier === undefined) return context;
    const scope = this.createStepScope();
    const answers = listEarlierSteps(this.#flow, name, scope).map(({ state }) => scope.answers(state));
    return addEarlierAnswers(validator.screen, Object.assign({}, ...answers) as ValuesByName, context); // `Object.assign` returns `any`
  }

  createStepScope(): StepGuardScope {
    const scope = this.#store.createScope();
    const answers = (state: string) =>
      this.storedForms.findVisibleValues(state) ?? renderPrefillValues(this.#flow.states[state] ?? {}, scope);
    return { facts: createFlowRuleData(scope), answers };
  }

  openFormAfterOperation(view: FlowView): FlowView {
    const form = view.screen && this.openStateForm(view.name, view.state, view.screen);
    const shown = { ...view, form, pending: false };
    this.#store.set({ view: shown });
    return shown;
  }

  /** Stores the input of a form when its state is left. Omits the fields at the JSON pointers in `clear`. */
  storeInput({ name, screen, form }: FlowView, clear: readonly string[]): void {
    if (screen && form) this.storedForms.storeInput(name, screen, form, clear);
  }

  /** Offers the values of `carry` to other flows. These values contain no secrets, because stored input has none. */
  offerCarriedValues({ name, state, form }: FlowView): void {
    const carried = form && renderCarriedValues(state, this.#store.createScope(this.storedForms.findValues(name)));
    if (carried) this.#services.carry?.(carried);
  }

  withdrawCarriedValues(): void {
    const names = Object.values(this.#flow.states).flatMap(({ carry = {} }) => Object.keys(carry));
    if (names.length > 0) this.#services.carry?.(Object.fromEntries(names.map((name) => [name, null])));
  }

  clearFields({ form }: FlowView, pointers: readonly string[]): void {
    for (const pointer of pointers) form?.field(parseFieldPointer(pointer))?.set(undefined);
  }

  /** Shows a failure at its fields, above the form or as a notice. If `onFields` is false, shows nothing, and the form only counts the failure. */
  showFailure({ form }: FlowView, { errors = {}, error }: OperationFailure, onFields: boolean): void {
    if (form) form.refuse(onFields ? errors : {}, onFields && Object.keys(errors).length === 0 ? error : null);
    else if (onFields) this.#store.set({ notice: { intent: 'error', text: error } });
  }

  showNotice(view: FlowView, name: string | undefined): void {
    if (name === undefined) return;
    this.#store.set({ notice: findScreenNotice(view.screen, name) });
    this.showNoticeAsFieldError(view);
  }

  showNoticeAsFieldError({ form }: FlowView): void {
    const { notice, context } = this.#store.state;
    if (notice?.field !== undefined)
      form?.refuse({ [notice.field]: fillPlaceholders(notice.text, { ...this.#services.facts(), ...context }) }, null);
  }

  /** Re-renders a state with a newer version of its screen. Keeps the input. `screen` is `undefined` if it failed to load. */
  replaceScreen(view: FlowView, screen: LoadedScreen | null | undefined): void {
    if (!screen) return this.#store.set({ failed: true });
    const next = this.#reopen(view, screen);
    this.#store.set({ view: { ...next, pending: false } });
    next.form?.refuse({}, this.#services.t('outdated'));
  }

  /** Re-renders the view, and the view below a dialog, with screens that `load` returns in another language. Keeps the input. */
  async redrawViews(load: (state: StateDefinition) => Promise<LoadedScreen | null | undefined>): Promise<void> {
    const { view, viewBelowModal, notice } = this.#store.state;
    const views = [view, viewBelowModal];
    const screens = await Promise.all(views.map((old) => (old?.screen ? load(old.state) : null)));
    await this.storedForms.reload((state) => load(this.#flow.states[state] ?? {}));
    if (this.#store.state.view !== view) return; // another view has replaced `view`
    const [shown = null, under = null] = views.map((old, at) => {
      const screen = screens[at];
      return old && screen ? this.#reopen(old, screen) : old;
    });
    const notices = view?.screen?.validator.screen.ui.notices ?? {};
    const name = Object.keys(notices).find((one) => notices[one] === notice);
    this.#store.set({
      view: shown,
      viewBelowModal: under,
      notice: findScreenNotice(shown?.screen ?? null, name) ?? notice,
    });
  }

  #reopen(view: FlowView, screen: LoadedScreen): FlowView {
    const context = copyEarlierAnswers(view.form?.context, this.#store.createRuleContext());
    return { ...view, screen, form: screen.open(view.form?.values ?? {}, context), direction: 'none' };
  }
}

interface FormSnapshot {
  readonly screen: LoadedScreen;
  readonly values: ValuesByName;
  readonly visible: ValuesByName;
}

/** Stored input of a flow's forms by state, in memory. Contains no secrets. */
class FormSnapshots {
  readonly byState = new Map<string, FormSnapshot>();

  findValues(state: string): ValuesByName {
    return this.byState.get(state)?.values ?? {};
  }

  findVisibleValues(state: string): ValuesByName | undefined {
    return this.byState.get(state)?.visible;
  }

  /** Stores the input of a form. Omits secrets and the fields at the JSON pointers in `clear`. */
  storeInput(state: string, screen: LoadedScreen, form: FormModel, clearStoredFields: readonly string[] = []): void {
    const secrets = form.validator.screen.fields.filter(({ secret }) => secret).map(({ name }) => name);
    const names = [...secrets, ...clearStoredFields.map(parseFieldPointer)];
    const { values, visibleValues: visible } = form;
    this.byState.set(state, { screen, values: omitNames(values, names), visible: omitNames(visible, names) });
  }

  async reload(load: (state: string) => Promise<LoadedScreen | null | undefined>): Promise<void> {
    for (const state of this.byState.keys()) {
      const screen = await load(state);
      const snapshot = this.byState.get(state);
      if (screen && snapshot) this.byState.set(state, { ...snapshot, screen });
    }
  }

  clear(state: string, pointers: readonly string[]): void {
    const names = pointers.map(parseFieldPointer);
    const snapshot = this.byState.get(state);
    if (snapshot && names.length > 0)
      this.byState.set(state, {
        ...snapshot,
        values: omitNames(snapshot.values, names),
        visible: omitNames(snapshot.visible, names),
      });
  }
}

function omitNames(values: ValuesByName, names: readonly string[]): ValuesByName {
  const rest = { ...values };
  for (const name of names) setFieldValue(rest, name, undefined);
  return rest;
}
