import {
  compareShallow,
  compareStructural,
  computed,
  observable,
  runInAction,
  type IComputedValue,
  type IObservableValue,
} from 'mobx';
import { cleanerOf } from '../../core/cleaning/clean-value.ts';
import { nested } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { faultMessage, type Fault } from '../../core/messages.ts';
import type { FieldSpec } from '../../core/screen.ts';
import {
  computedValue,
  fieldFault,
  isEmpty,
  isRequiredNow,
  offeredChoices,
  type Validator,
} from '../../core/validate.ts';
import { afterPress } from '../press.ts';

/** Result of a widget's work before a submit. `refused` stops the submit, with its message unless that is `null`. */
export type Preparation = { readonly refused: string | null } | undefined;

/** A field of the open form, as a widget sees it. Its properties are MobX observables: read them inside `observer()`. */
export interface Field {
  /** Name of the property in schema.json. */
  readonly name: string;
  /** Undefined when empty. */
  readonly value: unknown;
  /** Raw input, shown by the control until the field is left or sent, and then the value. Differs from `value` by its cleaning. */
  readonly typed: unknown;
  /** The visible error message, or null. */
  readonly error: string | null;
  /** Whether the value is refused, even if no message is visible yet. False while an optional field is empty. */
  readonly invalid: boolean;
  /** Cleans and stores an input. Empty text counts as no value. Hides the message until the field is left. */
  set(value: unknown): void;
  /** Handles the loss of focus: shows the message, if there is one. */
  blur(): void;
  /** Returns the value that `set` would store. */
  clean(input: unknown): unknown;
  /**
   * Registers work to do before each submit of a valid form, e.g. a passkey prompt; what it stores is sent along. Runs one at a time.
   * Returns a function that unregisters it.
   */
  beforeSubmit(prepare: () => Promise<Preparation>): () => void;
}

/** The form of a field. */
export interface FieldForm {
  readonly validator: Validator;
  /** Facts that rules read beside the form: flags, user, variables of the flow. */
  readonly context: Values;
  /** Observable: names of the hidden fields. */
  readonly hidden: ReadonlySet<string>;
  changed(field: FieldModel): void;
}

/** What the user and the server did to the current value. */
interface Status {
  /** Whether the value has changed since the form was opened. */
  readonly touched: boolean;
  /** Whether an error is shown. */
  readonly shown: boolean;
  /** An error that needs no alert of its own, because the summary of a submit announces it. */
  readonly announced: string | null;
  /** Message of the server, and the values (as JSON) that it was about. */
  readonly refusal: { readonly message: string; readonly about: string } | null;
  /** Why a widget stopped the last submit. Does not make the value invalid. */
  readonly unprepared: string | null;
}

const untouched: Status = { touched: false, shown: false, announced: null, refusal: null, unprepared: null };

/** A field of a form: its value and status are observable, everything else is computed from them by the rules of its screen. */
export class FieldModel implements Field {
  readonly spec: FieldSpec;
  /** The fields that its rules read, itself included; filled by the form. */
  readonly reads: FieldModel[] = [this];
  /** The fields whose rules read this one; filled by the form. */
  readonly dependents: FieldModel[] = [];
  /** The items of a list field. */
  list: { readonly shown: readonly unknown[] } | null = null;
  readonly #form: FieldForm;
  readonly #clean: (value: unknown) => unknown;
  readonly #input: IObservableValue<{ readonly value: unknown; readonly typed: unknown }>;
  readonly #status = observable.box(untouched, { deep: false, equals: compareShallow });
  readonly #visible: IComputedValue<boolean> | null;
  readonly #required: IComputedValue<boolean> | null;
  readonly #choices: IComputedValue<readonly unknown[] | null> | null;
  readonly #computed: IComputedValue<unknown> | null;
  readonly #fault: IComputedValue<Fault | null>;
  readonly #error: IComputedValue<string | null>;
  readonly #standing: IComputedValue<'fine' | 'missing' | 'wrong'>;
  #lastComputed: { readonly value: unknown } | null = null;
  #prepare: (() => Promise<Preparation>) | null = null;

  constructor(spec: FieldSpec, form: FieldForm, opened: unknown) {
    const { validator, context } = form;
    this.spec = spec;
    this.#form = form;
    this.#clean = cleanerOf(validator.screen.ui, spec);
    const value = this.#clean(opened);
    this.#input = observable.box({ value, typed: value }, { deep: false });
    const { visible, requiredWhen, offeredWhen, computed: logic } = spec;
    this.#visible = visible === undefined ? null : computed(() => !form.hidden.has(spec.name));
    this.#required = requiredWhen === undefined ? null : computed(() => isRequiredNow(spec, this.#scope, context));
    this.#choices =
      offeredWhen === undefined
        ? null
        : computed(() => offeredChoices(spec, this.#scope, context), { equals: compareStructural });
    this.#computed =
      logic === undefined ? null : computed(() => computedValue(logic, scopeOf(this.reads.slice(1)), context));
    this.#fault = computed(
      () => {
        if (!this.visible) return null;
        return fieldFault(validator, spec, this.#scope, context, this.reads.map((field) => field.spec)); // prettier-ignore
      },
      { equals: compareStructural, keepAlive: true },
    );
    this.#error = computed(() => this.#findError());
    this.#standing = computed(() => {
      if (!this.#isRefused) return 'fine';
      return this.invalid && this.#status.get().shown ? 'wrong' : 'missing';
    });
  }

  get name(): string {
    return this.spec.name;
  }

  get value(): unknown {
    return this.#computed ? this.#computed.get() : this.#input.get().value;
  }

  get typed(): unknown {
    return this.#computed ? this.#computed.get() : this.#input.get().typed;
  }

  get error(): string | null {
    return this.#error.get();
  }

  get visible(): boolean {
    return this.#visible?.get() ?? true;
  }

  get required(): boolean {
    return this.#required?.get() ?? this.spec.required;
  }

  /** The choices that are offered now, or null if they never change. */
  get choices(): readonly unknown[] | null {
    return this.#choices?.get() ?? null;
  }

  get invalid(): boolean {
    return this.#isRefused && (this.refused || this.#fault.get()?.keyword !== 'required');
  }

  /** `wrong`: its error is on screen, and is about a value. `missing`: refused otherwise. */
  get standing(): 'fine' | 'missing' | 'wrong' {
    return this.#standing.get();
  }

  /** Whether the server refused the current value. */
  get refused(): boolean {
    return this.#status.get().refusal !== null;
  }

  /** Whether the summary of a submit announces its error. */
  get quiet(): boolean {
    const { error } = this;
    return error !== null && error === this.#status.get().announced;
  }

  /** Its value, or what rules see of its items; undefined when empty. */
  get filled(): unknown {
    const value = this.list ? this.list.shown : this.value;
    return isEmpty(value) ? undefined : value;
  }

  get #isRefused(): boolean {
    return this.visible && (this.refused || this.#fault.get() !== null);
  }

  /** The values that its rules see. */
  get #scope(): Values {
    return scopeOf(this.reads);
  }

  set(value: unknown): void {
    if (this.#computed) return;
    const typed = emptyAsNone(value);
    runInAction(() => {
      if (this.#store(this.clean(typed), typed)) this.#form.changed(this);
    });
  }

  clean(input: unknown): unknown {
    return emptyAsNone(this.#clean(input));
  }

  blur(): void {
    this.settle();
    afterPress(() => runInAction(() => this.leave()));
  }

  /** Shows the cleaned value in place of the input. */
  settle(): void {
    const { value, typed } = this.#input.get();
    if (!Object.is(value, typed)) runInAction(() => this.#input.set({ value, typed: value }));
  }

  /** Shows its message, unless the user left an untouched field that is only missing; and the messages of fields computed from it. */
  leave(): void {
    if (this.#status.get().touched || this.#fault.get()?.keyword !== 'required') this.show(false);
    for (const field of this.dependents) if (field.#computed) field.leave();
  }

  /** Shows its message from now on. `quiet`: the summary of a submit announces it. */
  show(quiet: boolean, change: Partial<Status> = {}): void {
    const { error: before } = this;
    this.#update({ ...change, shown: true });
    const { error } = this;
    if (error !== before) this.#update({ announced: quiet ? error : null });
  }

  /** Shows a message of the server until the value changes, or another value that its rules read. */
  refuse(message: string, quiet: boolean): void {
    this.show(quiet, { refusal: { message, about: JSON.stringify(this.#scope) } });
  }

  /** Hides all messages, as if the form had just been opened. */
  forget(): void {
    this.#status.set(untouched);
  }

  /**
   * Follows the fields that it reads: drops chosen values that are no longer offered, and messages about earlier values. Returns whether
   * its value changed.
   */
  follow(): boolean {
    const { refusal } = this.#status.get();
    if (refusal && refusal.about !== JSON.stringify(this.#scope)) this.#update({ refusal: null });
    if (this.#computed) return this.#followComputed();
    const { choices, value } = this;
    if (choices === null || value === undefined) return false;
    const chosen = [value].flat();
    const left = chosen.filter((one) => choices.includes(one));
    if (left.length === chosen.length) return false;
    const rest = Array.isArray(value) ? left : undefined;
    return this.#store(rest, rest);
  }

  beforeSubmit(prepare: () => Promise<Preparation>): () => void {
    this.#prepare = prepare;
    return () => {
      if (this.#prepare === prepare) this.#prepare = null;
    };
  }

  /** Whether a widget has work to do before a submit. */
  get prepares(): boolean {
    return this.visible && this.#prepare !== null;
  }

  /** Does the work of its widget. Returns whether the form may be sent. */
  async prepare(): Promise<boolean> {
    runInAction(() => this.#update({ unprepared: null }));
    const result = await this.#prepare?.();
    if (result) runInAction(() => this.#update({ unprepared: result.refused }));
    return !result;
  }

  #followComputed(): boolean {
    const { value } = this;
    const last = this.#lastComputed;
    this.#lastComputed = { value };
    if (last === null || Object.is(last.value, value)) return false;
    this.#renew();
    return true;
  }

  #findError(): string | null {
    const { shown, refusal, unprepared } = this.#status.get();
    if (!shown || !this.#isRefused) return unprepared;
    const fault = this.#fault.get();
    return refusal?.message ?? (fault && faultMessage(this.#form.validator.screen, this.name, fault));
  }

  #store(value: unknown, typed: unknown): boolean {
    const stored = this.#input.get();
    const isSame = Object.is(value, stored.value);
    if (!isSame || !Object.is(typed, stored.typed)) this.#input.set({ value, typed });
    if (!isSame) this.#renew();
    return !isSame;
  }

  #renew(): void {
    const shown = this.#form.validator.screen.ui.showErrors === 'change';
    this.#status.set({ ...untouched, touched: true, shown });
  }

  #update(change: Partial<Status>): void {
    this.#status.set({ ...this.#status.get(), ...change });
  }
}

/** The values of visible fields, nested as the schema nests them. */
export function scopeOf(fields: readonly FieldModel[]): Values {
  return nested(
    fields.flatMap((field) => {
      const value = field.visible ? field.filled : undefined;
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

function emptyAsNone(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}
