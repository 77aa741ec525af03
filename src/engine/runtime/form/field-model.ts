import { compareStructural, computed, observable, runInAction, type IComputedValue, type IObservableValue } from 'mobx';
import { createCleaner } from '../../core/cleaning/create-cleaner.ts';
import { nestFieldValues } from '../../core/field-path.ts';
import type { ValuesByName } from '../../core/json.ts';
import { formatFieldFault } from '../../core/messages.ts';
import type { FieldSpec, CompiledScreen } from '../../core/compiled-screen.ts';
import {
  computeFieldValue,
  findFieldFault,
  isEmptyValue,
  isCurrentlyRequired,
  listHiddenFields,
  listAvailableChoices,
  type ScreenValidator,
} from '../../core/validate-screen-form.ts';
import { runAfterPointerPress } from '../run-after-pointer-press.ts';
import type { AsyncFieldCheck } from './async-field-check.ts';

/** Result of a widget's task before a submit. An object cancels the submit. `refused` is the message to show, or `null` for no message. */
export type SubmitPreparation = { readonly refused: string | null } | undefined;

/** A field of the open form, for widgets. Its properties are MobX observables, so read them inside `observer()`. */
export type Field = Pick<
  FieldModel,
  'name' | 'value' | 'typed' | 'error' | 'invalid' | 'set' | 'blur' | 'clean' | 'beforeSubmit'
>;

/** The part of a form that its fields use. */
export interface FormOfField {
  readonly validator: ScreenValidator;
  readonly context: ValuesByName;
  readonly hidden: IComputedValue<ReadonlySet<string>>;
  changed(field: FieldModel): void;
}

interface Status {
  readonly touched: boolean;
  readonly isMessageShown: boolean;
  /** Error that the summary of a submit announces, so that the field does not announce it again. */
  readonly announced: string | null;
  /** Message of the server, with the values (as JSON) to which it applies. */
  readonly refusal: { readonly message: string; readonly about: string } | null;
  /** Message of a widget task that cancelled the last submit. The value is still valid. */
  readonly unprepared: string | null;
}

const initialStatus: Status = {
  touched: false,
  isMessageShown: false,
  announced: null,
  refusal: null,
  unprepared: null,
};

/** MobX options for a computed object that is also read outside reactions. */
const computedOptions = { equals: compareStructural, keepAlive: true };

/** A field of a form. Only the value and the status are stored. Everything else is computed from them with the rules of the screen. */
export class FieldModel {
  readonly spec: FieldSpec;
  /** Fields that the rules of this field read, beginning with this field. `linkDependentFields` adds the other fields. */
  readonly reads: FieldModel[] = [this];
  /** Fields whose rules read this field, added by `linkDependentFields`. */
  readonly dependents: FieldModel[] = [];
  list: { readonly visibleValues: readonly unknown[] } | null = null;
  readonly #form: FormOfField;
  readonly #clean: (value: unknown) => unknown;
  readonly #input: IObservableValue<{ readonly value: unknown; readonly typed: unknown }>;
  readonly #status = observable.box(initialStatus, { deep: false, equals: compareStructural });
  /** Choices or computed value at the last call of `follow`. */
  #followed: { readonly value: unknown } | null = null;
  #prepare: (() => Promise<SubmitPreparation>) | null = null;
  #check: AsyncFieldCheck | null = null;

  readonly #visible = computed(() => !this.#form.hidden.get().has(this.name));
  readonly #required = computed(() =>
    isCurrentlyRequired(this.spec, collectVisibleValues(this.reads), this.#form.context),
  );
  readonly #choices = computed(
    () => listAvailableChoices(this.spec, collectVisibleValues(this.reads), this.#form.context),
    computedOptions,
  );
  readonly #computed = computed(() =>
    computeFieldValue(this.spec.computed ?? null, collectVisibleValues(this.reads.slice(1)), this.#form.context),
  );
  readonly #fault = computed(() => {
    if (!this.visible) return null;
    const { validator, context } = this.#form;
    const specs = this.reads.map(({ spec }) => spec);
    return findFieldFault(validator, this.spec, collectVisibleValues(this.reads), context, specs);
  }, computedOptions);
  readonly #error = computed(() => {
    const { isMessageShown, refusal, unprepared } = this.#status.get();
    if (!isMessageShown || !this.#hasFault) return unprepared;
    const fault = this.#fault.get();
    return refusal?.message ?? (fault && formatFieldFault(this.#form.validator.screen, this.name, fault));
  });
  readonly #incomplete = computed(() => this.#hasFault);

  constructor(spec: FieldSpec, form: FormOfField, opened: unknown) {
    this.spec = spec;
    this.#form = form;
    this.#clean = createCleaner(form.validator.screen.ui, spec);
    const value = this.#clean(opened);
    this.#input = observable.box({ value, typed: value }, { deep: false });
  }

  get name(): string {
    return this.spec.name;
  }

  get value(): unknown {
    return this.#isComputed ? this.#computed.get() : this.#input.get().value;
  }

  /** Raw input before cleaning. The control shows it until blur or submit. */
  get typed(): unknown {
    return this.#isComputed ? this.value : this.#input.get().typed;
  }

  get error(): string | null {
    return this.#error.get();
  }

  get visible(): boolean {
    return this.spec.visible === undefined || this.#visible.get();
  }

  get required(): boolean {
    return this.spec.requiredWhen === undefined ? this.spec.required : this.#required.get();
  }

  get choices(): readonly unknown[] | null {
    return this.spec.offeredWhen === undefined ? null : this.#choices.get();
  }

  /** Whether the value is invalid, even if its message is hidden. False if the only fault is a missing value. */
  get invalid(): boolean {
    return this.#hasFault && (this.refusedByServer || this.#fault.get()?.keyword !== 'required');
  }

  /** Whether the value is missing or invalid, even if its message is hidden. */
  get incomplete(): boolean {
    return this.#incomplete.get();
  }

  get refusedByServer(): boolean {
    return this.#status.get().refusal !== null;
  }

  /** Whether the error summary has announced this error, so that the field must not announce it again. */
  get quiet(): boolean {
    const { error } = this;
    return error !== null && error === this.#status.get().announced;
  }

  /** Value for rules. For a list, the values of its visible items. `undefined` if empty. */
  get filled(): unknown {
    const value = this.list ? this.list.visibleValues : this.value;
    return isEmptyValue(value) ? undefined : value;
  }

  get prepares(): boolean {
    return this.visible && (this.#prepare ?? this.#check) !== null;
  }

  get #isComputed(): boolean {
    return this.spec.computed !== undefined;
  }

  get #hasFault(): boolean {
    return this.visible && (this.refusedByServer || this.#fault.get() !== null);
  }

  /** Cleans and stores an input. Empty text is no value. Hides the message until blur, unless the screen shows errors on each change. */
  set(value: unknown): void {
    if (this.#isComputed) return;
    const typed = toUndefinedIfEmpty(value);
    runInAction(() => {
      if (this.#store(this.clean(typed), typed)) this.#form.changed(this);
    });
  }

  clean(input: unknown): unknown {
    return toUndefinedIfEmpty(this.#clean(input));
  }

  blur(): void {
    this.settle();
    runAfterPointerPress(() => runInAction(() => this.leave()));
    void this.#passesCheck();
  }

  /** Shows the cleaned value in the control. */
  settle(): void {
    runInAction(() => this.#store(this.#input.get().value));
  }

  /** Shows the messages of this field and of fields computed from it, except for an untouched field whose value is missing. */
  leave(): void {
    if (this.#status.get().touched || this.#fault.get()?.keyword !== 'required') this.show(false);
    for (const field of this.dependents) if (field.#isComputed) field.leave();
  }

  /** Shows the message. `quiet` means that the error summary announces the message. */
  show(quiet: boolean, change: Partial<Status> = {}): void {
    const before = this.error;
    this.#update({ ...change, isMessageShown: true });
    const { error } = this;
    if (error !== before) this.#update({ announced: quiet ? error : null });
  }

  /** Shows a message of the server until this value, or a value that its rules read, changes. */
  refuse(message: string, quiet: boolean): void {
    this.show(quiet, { refusal: { message, about: JSON.stringify(collectVisibleValues(this.reads)) } });
  }

  forget(): void {
    this.#status.set(initialStatus);
  }

  /** Clears chosen values that are no longer available, and messages about earlier values. Returns whether the value changed. */
  follow(): boolean {
    const { refusal } = this.#status.get();
    if (refusal && refusal.about !== JSON.stringify(collectVisibleValues(this.reads))) this.#update({ refusal: null });
    const { choices, value } = this;
    const before = this.#followed;
    this.#followed = { value: this.#isComputed ? value : choices };
    if (before && Object.is(before.value, this.#followed.value)) return false;
    if (this.#isComputed) {
      if (before) this.#renew();
      return before !== null;
    }
    const chosen = [value].flat();
    const remaining = chosen.filter((one) => choices?.includes(one));
    return (
      choices !== null && remaining.length < chosen.length && this.#store(Array.isArray(value) ? remaining : undefined)
    );
  }

  /** Registers a task before each submit of a valid form, e.g. a passkey prompt. Tasks run sequentially. Returns a function that unregisters it. */
  beforeSubmit(prepare: () => Promise<SubmitPreparation>): () => void {
    this.#prepare = prepare;
    return () => {
      if (this.#prepare === prepare) this.#prepare = null;
    };
  }

  checkWith(check: AsyncFieldCheck): () => void {
    this.#check = check;
    return () => {
      check.cancel();
      if (this.#check === check) this.#check = null;
    };
  }

  async prepare(): Promise<boolean> {
    if (!(await this.#passesCheck())) return false;
    runInAction(() => this.#update({ unprepared: null }));
    const result = await this.#prepare?.();
    if (result) runInAction(() => this.#update({ unprepared: result.refused }));
    return !result;
  }

  /** Runs the check and shows its message. Returns `false` if the value is invalid or has changed meanwhile. */
  async #passesCheck(): Promise<boolean> {
    const { value } = this;
    if (!this.#check || value === undefined || this.#hasFault) return true;
    const message = await this.#check.run(value);
    if (!Object.is(value, this.value)) return false;
    if (message !== null) runAfterPointerPress(() => runInAction(() => this.refuse(message, false)));
    return message === null;
  }

  #store(value: unknown, typed = value): boolean {
    const stored = this.#input.get();
    const isSame = Object.is(value, stored.value);
    if (!isSame || !Object.is(typed, stored.typed)) this.#input.set({ value, typed });
    if (!isSame) this.#renew();
    return !isSame;
  }

  /** Resets the status, because messages about the previous value no longer apply. */
  #renew(): void {
    this.#check?.cancel();
    const isMessageShown = this.#form.validator.screen.ui.showErrors === 'change';
    this.#status.set({ ...initialStatus, touched: true, isMessageShown });
  }

  #update(change: Partial<Status>): void {
    this.#status.set({ ...this.#status.get(), ...change });
  }
}

export function collectVisibleValues(fields: readonly FieldModel[]): ValuesByName {
  return nestFieldValues(
    fields.flatMap((field) => {
      const value = field.visible ? field.filled : undefined;
      return value === undefined ? [] : [[field.name, value] as const];
    }),
  );
}

export function linkDependentFields(fields: ReadonlyMap<string, FieldModel>): void {
  for (const field of fields.values())
    for (const dependent of field.spec.dependents.flatMap((name) => fields.get(name) ?? [])) {
      field.dependents.push(dependent);
      dependent.reads.push(field);
    }
}

/** Computes the names of the hidden fields. Depends only on fields that visibility rules read, so that other input does not cause a recomputation. */
export function computeHiddenFields(
  { computed: order }: CompiledScreen,
  fields: Iterable<FieldModel>,
  context: ValuesByName,
): IComputedValue<ReadonlySet<string>> {
  const ruled = [...fields].filter(({ spec }) => spec.visible !== undefined || spec.computed !== undefined);
  const read = [...new Set(ruled.flatMap(({ reads }) => reads))];
  const screen = { fields: read.map(({ spec }) => spec), computed: order };
  const inputFields = read.filter(({ spec }) => spec.computed === undefined);
  const hidden = () => {
    const values = inputFields.flatMap(({ name, filled }) => (filled === undefined ? [] : [[name, filled] as const]));
    return listHiddenFields(screen, values, context);
  };
  return computed(hidden, computedOptions);
}

function toUndefinedIfEmpty(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}
