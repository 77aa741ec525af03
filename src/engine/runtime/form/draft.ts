import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { cleanerOf } from '../../core/cleaning/clean-value.ts';
import { uiOf, uiText } from '../../core/ui.ts';
import { isWithin, nested, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { checkForm, type Validator } from '../../core/validate.ts';
import { watchPresses } from '../press.ts';
import { FieldState, Preparations, type FieldOwner } from './field-state.ts';
import type { FormHandle } from './field.ts';
import { noLists, type FormLists } from './form-lists.ts';
import { showForm, type ShownForm } from './shown-form.ts';
import { Verdicts } from './verdicts.ts';

/** The outcome of a submit: the values to send, or null when fields are refused. */
export type Submission = { readonly data: Values } | null;

/** What a form has beside its fields. */
export interface DraftParts {
  /** Opens its lists; a screen without lists has none of that code. */
  readonly lists?: (draft: Draft) => FormLists;
  /** Of an item of a list: tells that something in it changed. */
  readonly onChange?: () => void;
  /** Of an item that is one value: adds others to its list. */
  readonly append?: FormHandle['append'];
}

/**
 * The values of an open form and what the rules say of them, beside rjsf and not inside it: one thin state a field, an index
 * of who depends on whom, and the set of fields that are refused, so that a key costs the same at any size.
 */
export class Draft implements FormHandle, FieldOwner {
  readonly validator: Validator;
  readonly fields: ReadonlyMap<string, FieldState>;
  readonly lists: FormLists;
  readonly append: FormHandle['append'];
  readonly #onChange: (() => void) | undefined;
  /** What the form was opened with. */
  readonly #opened: Values;
  /** Facts that rules see beside the form: flags, user, variables of the flow. */
  readonly context: Values;
  readonly #shown: ShownForm;
  readonly #verdicts: Verdicts;
  readonly #missing = observable.box(0);
  readonly #preparations = new Preparations();
  #send: (() => void) | null = null;
  failures = 0;
  busy = false;
  /** A message of the server that belongs to no field. */
  formError: string | null = null;
  /** The fields that the last submit refused, for the summary. A new array at each submit. */
  refusedAtSubmit: readonly string[] = [];

  constructor(validator: Validator, values: Values, context: Values, { lists, onChange, append }: DraftParts = {}) {
    watchPresses();
    this.validator = validator;
    this.context = context;
    this.#verdicts = new Verdicts(validator.screen);
    this.#opened = values;
    makeObservable(this, {
      failures: observable,
      busy: observable,
      formError: observable,
      refusedAtSubmit: observableRef,
      submit: action,
      refuse: action,
      reset: action,
      setBusy: action,
      changed: action,
      left: action,
      ready: computed,
    });
    const { fields, ui } = validator.screen;
    this.fields = new Map(
      fields.map((plan) => [plan.name, new FieldState(plan, this, valueAt(values, plan.name), cleanerOf(ui, plan))]),
    );
    this.lists = lists?.(this) ?? noLists;
    this.#onChange = onChange;
    this.append = append;
    this.#shown = showForm(this, this.#verdicts);
    runInAction(() => {
      this.#shown.begin();
      this.#setMissing();
    });
  }

  /** A field by its name, also one of a list's item: "telefonos.2.numero". */
  field(name: string): FieldState | undefined {
    return this.fields.get(name) ?? this.lists.first((list) => list.find(name));
  }

  /** Observable: the name of a field of this form, or of a list's item where that stands now; undefined once it is gone. */
  nameOf(field: FieldState): string | undefined {
    return this.fields.get(field.name) === field ? field.name : this.lists.first((list) => list.nameOf(field));
  }

  /** Observable: the field of a form that draws one alone: its message stands there and nowhere else. */
  get lone(): FieldState | null {
    const { ui } = this.validator.screen;
    const isDrawn = ({ name, visible }: FieldState) => visible && uiOf(ui, name)['ui:widget'] !== 'hidden';
    const [field, ...others] = [...this.fields.values()].filter(isDrawn);
    return field && others.length === 0 && !this.lists.of(field.name) ? field : null;
  }

  /** What a field is called on its screen. */
  labelOf(name: string): string {
    return uiText(this.validator.screen.ui, name, 'ui:title') ?? this.lists.first((list) => list.labelOf(name)) ?? name;
  }

  /** Observable: the messages that are on screen, by field. */
  get errors(): readonly (readonly [name: string, message: string])[] {
    return [...this.fields.values()].flatMap(({ name, error }) => [
      ...(error === null ? [] : [[name, error] as const]),
      ...(this.lists.of(name)?.errors ?? []),
    ]);
  }

  /** What rules see: values of visible fields. */
  get shown(): Values {
    return { ...this.#shown.values };
  }

  /** Observable: whether any of some fields, or of the fields of some objects, is visible. */
  shows(names: readonly string[]): boolean {
    return [...this.fields.values()].some((field) => names.some((name) => isWithin(field.name, name)) && field.visible);
  }

  /** Observable: every required value is there and nothing is refused. */
  get ready(): boolean {
    return this.missing === 0;
  }

  /** Observable: how many values are wanted or refused. */
  get missing(): number {
    return this.#missing.get();
  }

  /** Observable: how many of these hold a value whose message is on screen. */
  get wrong(): number {
    return this.#verdicts.wrong + this.lists.wrong;
  }

  /** What is typed, hidden fields included: kept when the form is drawn anew. */
  get values(): Values {
    return nested([...this.fields].map(([name, field]) => [name, field.value]));
  }

  /** A field's value changed: its own rules and those that name it run, nothing else. */
  changed(field: FieldState): void {
    this.lists.of(field.name)?.take(field.value);
    this.#shown.changed(field);
    this.#setMissing();
    this.#onChange?.();
  }

  /** Shows the message of a field that was left, and of what is computed from it. An empty field that nobody typed in shows none before a submit. */
  left(field: FieldState): void {
    this.#verdicts.leave(field);
    for (const dependent of field.plan.dependents.flatMap((name) => this.fields.get(name) ?? []))
      if (dependent.plan.computed !== undefined) this.left(dependent);
  }

  /** Validates everything. When refused, every message appears at once and the summary gets its list. */
  submit(): Submission {
    for (const field of this.fields.values()) field.settle();
    const { data, errors } = checkForm(this.validator, this.#shown.values, this.context);
    this.formError = errors[''] ?? null;
    const refused = [...this.fields.values()].filter(
      ({ name, visible }) => visible && (Object.hasOwn(errors, name) || this.#verdicts.isRefusedByServer(name)),
    );
    for (const field of refused) this.#verdicts.show(field, refused.length > 1 || field !== this.lone);
    this.refusedAtSubmit = this.lists.withItems(this.fields.values(), refused, (list) => list.submit());
    return this.refusedAtSubmit.length > 0 || this.formError !== null ? null : { data };
  }

  /** Submits once the fields have done what they do before; at once where there is nothing to do. */
  submitPrepared(): Submission | Promise<Submission> {
    const submission = this.submit();
    if (!submission) return null;
    const prepared = this.prepare();
    return prepared === true ? submission : prepared.then((ready) => (ready ? this.submit() : null));
  }

  /** Takes the values back to those that it was opened with, and every message away. */
  reset(): void {
    for (const field of this.fields.values()) {
      field.set(valueAt(this.#opened, field.name));
      field.settle();
    }
    for (const list of this.lists.all) list.renew(valueAt(this.#opened, list.field.name));
    this.#verdicts.reset(this.fields.values());
    this.formError = null;
    this.refusedAtSubmit = [];
    this.#setMissing();
  }

  /**
   * Has the fields do what they do before a submit, one after the other, until one refuses; false: not to be sent. Answers at once where
   * there is nothing to do. While it runs another one is not begun.
   */
  prepare(): true | Promise<boolean> {
    return this.#preparations.run([...this.fields.values(), ...this.lists.fields]);
  }

  send(): void {
    this.#send?.();
  }

  /** Says what sends the form, e.g. the event `submit` of its flow; answers the way to stop. */
  onSend(send: () => void): () => void {
    this.#send = send;
    return () => {
      if (this.#send === send) this.#send = null;
    };
  }

  /** Takes the server's verdict: messages by field stay until the field changes; those of no visible field go above the form. */
  refuse(errors: Readonly<Record<string, string>>, formError: string | null): void {
    this.failures += 1;
    const rest = Object.entries(errors)
      .filter(([name]) => !this.field(name)?.visible)
      .map(([, message]) => message);
    const refused = [...this.fields.values()].filter(({ name, visible }) => visible && Object.hasOwn(errors, name));
    for (const field of refused)
      this.#verdicts.refuse(field, errors[field.name] ?? '', refused.length > 1 || field !== this.lone);
    this.refusedAtSubmit = this.lists.withItems(this.fields.values(), refused, (list) => list.refuse(errors));
    this.formError = formError ?? (rest.length > 0 ? rest.join(' ') : null);
    this.#setMissing();
  }

  /** Tells the widgets that an operation of this form runs. */
  setBusy(busy: boolean): void {
    this.busy = busy;
    this.lists.setBusy(busy);
  }

  /** Says why a field was not ready to be sent. */
  unprepared(field: FieldState, message: string | null): void {
    runInAction(() => this.#verdicts.unprepared(field, message));
  }

  #setMissing(): void {
    this.#missing.set(this.#verdicts.refused + this.lists.missing);
  }
}
