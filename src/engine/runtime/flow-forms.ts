import type { Flow, State } from '../core/definition.ts';
import { nameOfPointer, setValue } from '../core/field-path.ts';
import type { Values } from '../core/json.ts';
import { fill } from '../core/messages.ts';
import type { ScreenData } from '../core/screen.ts';
import type { OperationFailure } from '../core/operation.ts';
import { keepEarlier, withEarlier } from '../core/earlier.ts';
import { stepsBefore, type StepScope } from '../core/progress.ts';
import { carriedOf, prefillOf, scopeData } from '../core/transition.ts';
import type { FormModel } from './form/form-model.ts';
import type { FlowServices, LoadedScreen } from './flow-services.ts';
import { noticeOf, type View } from './flow-state.ts';
import type { FlowStore } from './flow-store.ts';

/** The forms of a flow's states: opened with what was typed before, kept when they are left, and where a refusal is shown. */
export class FlowForms {
  readonly kept = new FormSnapshots();
  readonly #flow: Flow;
  readonly #services: FlowServices;
  readonly #store: FlowStore;

  constructor(flow: Flow, services: FlowServices, store: FlowStore) {
    this.#flow = flow;
    this.#services = services;
    this.#store = store;
  }

  /** The form of a state: what the state fills in, under what was typed. */
  open(name: string, state: State, screen: LoadedScreen): FormModel | null {
    const values = { ...prefillOf(state, this.#store.scope()), ...this.kept.of(name) };
    return screen.open(values, this.#context(name, screen));
  }

  /** What rules of a screen see beside its form: facts, variables, and of the steps before it the answers that it declares. */
  #context(name: string, { validator }: LoadedScreen): Values {
    const context = this.#store.ruleContext();
    if (validator.screen.earlier === undefined) return context;
    const scope = this.stepScope();
    const answers = stepsBefore(this.#flow, name, scope).map(({ state }) => scope.answers(state));
    return withEarlier(validator.screen, Object.assign({}, ...answers) as Values, context); // Object.assign answers any
  }

  /** What guards of steps see. */
  stepScope(): StepScope {
    const scope = this.#store.scope();
    const answers = (state: string) => this.kept.shownOf(state) ?? prefillOf(this.#flow.states[state] ?? {}, scope);
    return { facts: scopeData(scope), answers };
  }

  /** Opens the form of a state whose operation came before its screen: what that answered may fill it. */
  reveal(view: View): View {
    const draft = view.screen && this.open(view.name, view.state, view.screen);
    const shown = { ...view, draft, pending: false };
    this.#store.set({ view: shown });
    return shown;
  }

  /** Keeps what is typed in a form that is left, but for the fields of these pointers. */
  keep({ name, draft }: View, clear: readonly string[]): void {
    if (draft) this.kept.keep(name, draft, clear);
  }

  /** Leaves for other flows what the state of a form that was kept says: never a secret, which is not kept. */
  carry({ name, state, draft }: View): void {
    const carried = draft && carriedOf(state, this.#store.scope(this.kept.of(name)));
    if (carried) this.#services.carry?.(carried);
  }

  /** Takes back what forms of the flow left for other flows. */
  takeBack(): void {
    const names = Object.values(this.#flow.states).flatMap(({ carry = {} }) => Object.keys(carry));
    if (names.length > 0) this.#services.carry?.(Object.fromEntries(names.map((name) => [name, null])));
  }

  /** Empties fields of the form that is shown. */
  empty({ draft }: View, pointers: readonly string[]): void {
    for (const pointer of pointers) draft?.field(nameOfPointer(pointer))?.set(undefined);
  }

  /** Shows the failure of an operation; `onFields`: at the fields that it names. A state without a form has a notice. */
  refuse({ draft }: View, failure: OperationFailure, onFields: boolean): void {
    if (draft)
      draft.refuse(
        onFields ? failure.errors : {},
        onFields && Object.keys(failure.errors).length === 0 ? failure.error : null,
      );
    else if (onFields) this.#store.set({ notice: { intent: 'error', text: failure.error } });
  }

  /** Shows a notice of the screen by its name. */
  notify(view: View, name: string | undefined): void {
    if (name === undefined) return;
    this.#store.set({ notice: noticeOf(view.screen, name) });
    this.refuseByNotice(view);
  }

  /** The notice of a field is the one message: it takes the place of the answer's own. */
  refuseByNotice({ draft }: View): void {
    const { notice, context } = this.#store.state;
    if (notice?.field !== undefined)
      draft?.refuse({ [notice.field]: fill(notice.text, { ...this.#services.facts(), ...context }) }, null);
  }

  /** Draws a state from newer rules of the server; what was typed stays. `screen` undefined: it could not be loaded. */
  replace(view: View, screen: LoadedScreen | null | undefined): void {
    if (!screen) return this.#store.set({ failed: true });
    const draft = screen.open(view.draft?.values ?? {}, keepEarlier(view.draft?.context, this.#store.ruleContext()));
    this.#store.set({ view: { ...view, screen, draft, direction: 'none', pending: false } });
    draft?.refuse({}, this.#services.t('outdated'));
  }
}

/** What was typed into a form: all of it, and what of it is not hidden. */
export interface FormSnapshot {
  readonly screen: ScreenData;
  readonly values: Values;
  readonly shown: Values;
}

/** What was typed into the forms of a flow, by state, while the page lives; never a secret. */
export class FormSnapshots {
  readonly #kept = new Map<string, FormSnapshot>();

  /** The forms in which something was typed, by state. */
  get all(): ReadonlyMap<string, FormSnapshot> {
    return this.#kept;
  }

  /** What was typed in a state; empty where nothing was. */
  of(state: string): Values {
    return this.#kept.get(state)?.values ?? {};
  }

  /** What of it counts; undefined where nothing was typed. */
  shownOf(state: string): Values | undefined {
    return this.#kept.get(state)?.shown;
  }

  /** Keeps what stands in a form, without its secrets and without the fields of these pointers. */
  keep(state: string, draft: FormModel, clear: readonly string[] = []): void {
    const { screen } = draft.validator;
    const secrets = screen.fields.filter(({ secret }) => secret).map(({ name }) => name);
    const names = [...secrets, ...clear.map(nameOfPointer)];
    this.restore(state, { screen, values: without(draft.values, names), shown: without(draft.shown, names) });
  }

  /** Takes what was saved of a form that was not opened yet. */
  restore(state: string, kept: FormSnapshot): void {
    this.#kept.set(state, kept);
  }

  /** Empties fields of a form that is not open. */
  clear(state: string, pointers: readonly string[]): void {
    const names = pointers.map(nameOfPointer);
    const kept = this.#kept.get(state);
    if (kept && names.length > 0)
      this.restore(state, { ...kept, values: without(kept.values, names), shown: without(kept.shown, names) });
  }

  forget(state: string): void {
    this.#kept.delete(state);
  }
}

function without(values: Values, names: readonly string[]): Values {
  const rest = { ...values };
  for (const name of names) setValue(rest, name, undefined);
  return rest;
}
