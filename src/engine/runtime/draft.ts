import { action, createAtom, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { transformOf, uiOptions } from '../core/ui.ts';
import type { Values } from '../core/json.ts';
import { faultMessage, type Fault } from '../core/messages.ts';
import { checkForm, fieldFault, isEmpty, isVisible, type Validator } from '../core/validate.ts';
import { Slot, type SlotOwner } from './slot.ts';
import type { FormHandle } from './field.ts';

/** The outcome of a submit: the values to send, or null when fields are refused. */
export type Submission = { readonly data: Values } | null;

/**
 * The values of an open form and what the rules say of them, beside rjsf and not inside it: one slot a field, an index
 * of who depends on whom, and the set of fields that are refused, so that a key costs the same at any size.
 */
export class Draft implements FormHandle, SlotOwner {
  readonly validator: Validator;
  readonly slots: ReadonlyMap<string, Slot>;
  /** Facts that rules see beside the form: flags, user, variables of the flow. */
  readonly context: Values;
  /** Values of visible fields: what rules see. */
  readonly #form: Record<string, unknown> = {};
  readonly #faults = new Map<string, Fault | null>();
  readonly #serverErrors = new Map<string, string>();
  readonly #shown = new Set<string>();
  readonly #refused = new Set<string>();
  readonly #readyAtom = createAtom('draft.ready');
  #ready = false;
  failures = 0;
  busy = false;
  /** A message of the server that belongs to no field. */
  formError: string | null = null;
  /** The fields that the last submit refused, for the summary. A new array at each submit. */
  refusedAtSubmit: readonly string[] = [];

  constructor(validator: Validator, values: Values, context: Values) {
    this.validator = validator;
    this.context = context;
    makeObservable(this, {
      failures: observable,
      busy: observable,
      formError: observable,
      refusedAtSubmit: observableRef,
      submit: action,
      refuse: action,
      setBusy: action,
      changed: action,
      left: action,
    });
    const { fields, ui } = validator.screen;
    this.slots = new Map(
      fields.map((plan) => [
        plan.name,
        new Slot(plan, this, values[plan.name], transformOf(uiOptions(ui, plan.name, context).transform)),
      ]),
    );
    for (const plan of fields) if (!isEmpty(values[plan.name])) this.#form[plan.name] = values[plan.name];
    runInAction(() => {
      for (const slot of this.slots.values()) if (this.#look(slot)) this.#spread(slot);
      for (const slot of this.slots.values()) this.#check(slot);
      this.#setReady();
    });
  }

  field(name: string): Slot | undefined {
    return this.slots.get(name);
  }

  /** Observable: every required value is there and nothing is refused. */
  get ready(): boolean {
    this.#readyAtom.reportObserved();
    return this.#ready;
  }

  /** What is typed, hidden fields included: kept when the form is drawn anew. */
  get values(): Values {
    return Object.fromEntries([...this.slots].map(([name, slot]) => [name, slot.value]));
  }

  /** A slot's value changed: its own rules and those that name it run, nothing else. */
  changed(slot: Slot): void {
    this.#serverErrors.delete(slot.name);
    if (this.validator.screen.ui.showErrors === 'change') this.#shown.add(slot.name);
    else this.#shown.delete(slot.name);
    this.#store(slot);
    this.#check(slot);
    this.#spread(slot);
    this.#setReady();
  }

  /** A field was left: its message, if any, appears. */
  left(slot: Slot): void {
    this.#shown.add(slot.name);
    this.#tell(slot, false);
  }

  /** Validates everything. When refused, every message appears at once and the summary gets its list. */
  submit(): Submission {
    const { data, errors } = checkForm(this.validator, this.#form, this.context);
    this.formError = errors[''] ?? null;
    const refused = [...this.slots.values()].filter(
      ({ name, visible }) => visible && (Object.hasOwn(errors, name) || this.#serverErrors.has(name)),
    );
    for (const slot of refused) {
      this.#shown.add(slot.name);
      this.#tell(slot, true);
    }
    this.refusedAtSubmit = refused.map(({ name }) => name);
    return refused.length > 0 || this.formError !== null ? null : { data };
  }

  /** Takes the server's verdict: messages by field stay until the field changes; those of no visible field go above the form. */
  refuse(errors: Readonly<Record<string, string>>, formError: string | null): void {
    this.failures += 1;
    const rest = Object.entries(errors)
      .filter(([name]) => !this.slots.get(name)?.visible)
      .map(([, message]) => message);
    const refused = [...this.slots.values()].filter(({ name, visible }) => visible && Object.hasOwn(errors, name));
    for (const slot of refused) {
      this.#serverErrors.set(slot.name, errors[slot.name] ?? '');
      this.#shown.add(slot.name);
      this.#tell(slot, true);
    }
    this.refusedAtSubmit = refused.map(({ name }) => name);
    this.formError = formError ?? (rest.length > 0 ? rest.join(' ') : null);
    this.#setReady();
  }

  /** Tells the widgets that a call of this form runs. */
  setBusy(busy: boolean): void {
    this.busy = busy;
  }

  #store(slot: Slot): void {
    if (slot.visible && !isEmpty(slot.value)) this.#form[slot.name] = slot.value;
    else delete this.#form[slot.name];
  }

  /** Whether the slot came or went. */
  #look(slot: Slot): boolean {
    const { plan, visible } = slot;
    if (plan.visible === undefined) return false;
    slot.update({ visible: isVisible(plan, this.#form, this.context) });
    this.#store(slot);
    return slot.visible !== visible;
  }

  /** Looks at what depends on a slot, and at what depends on whatever thereby came or went. */
  #spread(slot: Slot, seen = new Set([slot.name])): void {
    for (const name of slot.plan.dependents) {
      const dependent = this.slots.get(name);
      if (!dependent || seen.has(name)) continue;
      this.#serverErrors.delete(name); // it was about both
      const moved = this.#look(dependent);
      this.#check(dependent);
      if (moved) this.#spread(dependent, seen.add(name));
    }
  }

  #check(slot: Slot): void {
    this.#faults.set(slot.name, slot.visible ? fieldFault(this.validator, slot.plan, this.#form, this.context) : null);
    this.#tell(slot, false);
  }

  #tell(slot: Slot, quiet: boolean): void {
    const fault = this.#faults.get(slot.name) ?? null;
    const serverError = this.#serverErrors.get(slot.name);
    const refused = slot.visible && (fault !== null || serverError !== undefined);
    if (refused) this.#refused.add(slot.name);
    else this.#refused.delete(slot.name);
    const shown = refused && this.#shown.has(slot.name);
    const error = shown
      ? (serverError ?? (fault ? faultMessage(this.validator.screen, slot.name, fault) : null))
      : null;
    slot.update({ error, invalid: refused && (serverError !== undefined || fault?.keyword !== 'required'), quiet });
  }

  #setReady(): void {
    const ready = this.#refused.size === 0;
    if (ready === this.#ready) return;
    this.#ready = ready;
    this.#readyAtom.reportChanged();
  }
}
