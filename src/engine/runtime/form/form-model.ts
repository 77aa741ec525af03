import {
  action,
  compareStructural,
  computed,
  makeObservable,
  observable,
  observableRef,
  runInAction,
  type IComputedValue,
} from 'mobx';
import { isWithin, nested, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { readFieldUi, uiText } from '../../core/ui.ts';
import { checkForm, type Validator, hiddenFields } from '../../core/validate.ts';
import { watchPresses } from '../press.ts';
import type { FormHandle } from './field.ts';
import type { FormItem, FormList } from './form-list.ts';
import { FieldModel, collectVisibleValues, type FieldForm, stable } from './field-model.ts';
import type { ScreenData } from '../../core/screen.ts';

/** The values to send. `null` if the form is refused. */
type Submission = { readonly data: Values } | null;

interface FormOptions {
  readonly openList?: (form: FormModel, field: FieldModel) => FormList<FormModel>;
  readonly onChange?: () => void;
  readonly append?: FormHandle['append'];
}

/**
 * An open form, with one model per field. Visibility, errors and counts are computed values of MobX, so that a key press costs the same in a form of
 * any size.
 */
export class FormModel implements FormHandle, FieldForm {
  readonly validator: Validator;
  readonly context: Values;
  readonly hidden;
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** By field name. */
  readonly lists: ReadonlyMap<string, FormList<FormModel>>;
  readonly append: FormHandle['append'];
  readonly #opened: Values;
  readonly #onChange: (() => void) | undefined;
  readonly #followers: readonly FieldModel[];
  readonly #counts = computed(
    () => {
      const standings = this.#standings();
      return {
        missing: standings.filter((one) => one !== 'fine').length,
        wrong: standings.filter((one) => one === 'wrong').length,
      };
    },
    { equals: compareStructural },
  );
  #send: (() => void) | null = null;
  #isPreparing = false;
  failures = 0;
  busy = false;
  /** Message of the server that belongs to no field. */
  formError: string | null = null;
  /** Whether a submit was tried. Until then the form does not say what is missing. */
  attempted = false;
  /** Names of the fields that the last submit refused, for the error summary. Each submit creates a new array. */
  refusedAtSubmit: readonly string[] = [];

  constructor(validator: Validator, values: Values, context: Values, options: FormOptions = {}) {
    watchPresses();
    this.validator = validator;
    this.context = context;
    this.append = options.append;
    this.#opened = values;
    this.#onChange = options.onChange;
    makeObservable(this, {
      failures: observable,
      busy: observable,
      formError: observable,
      attempted: observable,
      refusedAtSubmit: observableRef,
      submit: action,
      refuse: action,
      reset: action,
      setBusy: action,
      ready: computed,
    });
    const fields = validator.screen.fields.map((spec) => new FieldModel(spec, this, valueAt(values, spec.name)));
    this.fields = new Map(fields.map((field) => [field.name, field]));
    linkFields(this.fields);
    this.lists = new Map(
      fields.flatMap((field) => {
        const list = field.spec.item && options.openList?.(this, field);
        field.list = list ?? null;
        return list ? [[field.name, list] as const] : [];
      }),
    );
    this.hidden = computeHidden(validator.screen, fields, context);
    this.#followers = fields.filter(({ reads, spec }) => reads.length > 1 || spec.offeredWhen !== undefined);
    runInAction(() => this.#follow());
  }

  /** Returns a field by its name, also that of an item: "telefonos.2.numero". */
  field(name: string): FieldModel | undefined {
    return this.fields.get(name) ?? this.#inItems((item) => item.field(name));
  }

  /** Observable: the current name of a field of this form or of an item. Undefined once its item is removed. */
  findFieldName(field: FieldModel): string | undefined {
    return this.fields.get(field.name) === field ? field.name : this.#inItems((item) => item.findFieldName(field));
  }

  /** Observable: the only visible field, whose message needs no error summary. `null` if there are several. */
  get lone(): FieldModel | null {
    const { ui } = this.validator.screen;
    const isDrawn = ({ name, visible }: FieldModel) => visible && readFieldUi(ui, name)['ui:widget'] !== 'hidden';
    const [field, ...others] = [...this.fields.values()].filter(isDrawn);
    return field && others.length === 0 && !field.list ? field : null;
  }

  findFieldLabel(name: string): string {
    return (
      uiText(this.validator.screen.ui, name, 'ui:title') ?? this.#inItems((item) => item.findFieldLabel(name)) ?? name
    );
  }

  /** Observable: the visible messages, by field. */
  get errors(): readonly (readonly [name: string, message: string])[] {
    return this.#collect(
      ({ name, error }) => (error === null ? [] : [[name, error] as const]),
      (item) => item.errors,
    );
  }

  /** Observable: the values of visible fields, which rules may read. */
  get shown(): Values {
    return collectVisibleValues([...this.fields.values()]);
  }

  /** Observable: whether any of these fields is visible. A name may be that of an object of fields. */
  shows(names: readonly string[]): boolean {
    return [...this.fields.values()].some((field) => names.some((name) => isWithin(field.name, name)) && field.visible);
  }

  /** Observable: whether every required field is filled in and no value is refused. */
  get ready(): boolean {
    return this.missing === 0;
  }

  /** Observable: number of values that are missing or refused. */
  get missing(): number {
    return this.#counts.get().missing;
  }

  /** Observable: number of refused values whose message is visible. */
  get wrong(): number {
    return this.#counts.get().wrong;
  }

  /** Observable: all values, including those of hidden fields. */
  get values(): Values {
    return nested([...this.fields].map(([name, field]) => [name, field.value]));
  }

  changed(field: FieldModel): void {
    this.lists.get(field.name)?.take(field.value);
    this.#follow();
    this.#onChange?.();
  }

  /** Validates all values. If they are refused, shows every message and lists the fields for the summary. */
  submit(): Submission {
    this.attempted = true;
    for (const field of this.fields.values()) field.settle();
    const { data, errors } = checkForm(this.validator, this.shown, this.context);
    this.formError = errors[''] ?? null;
    this.refusedAtSubmit = this.#showRefused(
      ({ name, refused }) => refused || Object.hasOwn(errors, name),
      (field, quiet) => field.show(quiet),
      ({ form }) => form.submit(),
    );
    return this.refusedAtSubmit.length > 0 || this.formError !== null ? null : { data };
  }

  /** Submits after the `beforeSubmit` tasks of widgets. Synchronous if there are none. */
  submitPrepared(): Submission | Promise<Submission> {
    const submission = this.submit();
    if (!submission) return null;
    const prepared = this.prepare();
    return prepared === true ? submission : prepared.then((ready) => (ready ? this.submit() : null));
  }

  /** Restores the initial values and hides all messages. */
  reset(): void {
    for (const field of this.fields.values()) {
      field.set(valueAt(this.#opened, field.name));
      field.settle();
    }
    for (const list of this.lists.values()) list.renew(valueAt(this.#opened, list.field.name));
    for (const field of this.fields.values()) field.forget();
    this.formError = null;
    this.attempted = false;
    this.refusedAtSubmit = [];
  }

  /**
   * Runs the `beforeSubmit` tasks of widgets in order until one refuses. Resolves to whether the form may be sent, and to `false` while an earlier
   * call is pending. Returns `true` synchronously if there are no tasks.
   */
  prepare(): true | Promise<boolean> {
    const fields = this.#preparing();
    return fields.length === 0 ? true : this.#prepareAll(fields);
  }

  send(): void {
    this.#send?.();
  }

  /** Sets what `send` does. Returns a function that unsets it. */
  onSend(send: () => void): () => void {
    this.#send = send;
    return () => {
      if (this.#send === send) this.#send = null;
    };
  }

  /** Shows the errors of the server: at their fields until these change, and above the form if no visible field has that name. */
  refuse(errors: Readonly<Record<string, string>>, formError: string | null): void {
    this.failures += 1;
    const rest = Object.entries(errors)
      .filter(([name]) => !this.field(name)?.visible)
      .map(([, message]) => message);
    this.refusedAtSubmit = this.#showRefused(
      ({ name }) => Object.hasOwn(errors, name),
      ({ name }, quiet) => this.fields.get(name)?.refuse(errors[name] ?? '', quiet),
      (item) => item.refuse(errors),
    );
    this.formError = formError ?? (rest.length > 0 ? rest.join(' ') : null);
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    for (const { parts } of this.lists.values()) for (const { form } of parts) form.setBusy(busy);
  }

  #follow(): void {
    while (this.#followers.filter((field) => field.follow()).length > 0);
  }

  #standings(): readonly FieldModel['standing'][] {
    return this.#collect(
      ({ standing }) => [standing],
      ({ form }) => form.#standings(),
    );
  }

  /** Collects entries of the fields in order. Entries of a visible list's items follow that of the list. */
  #collect<Entry>(
    own: (field: FieldModel) => readonly Entry[],
    ofItem: (item: FormItem<FormModel>) => readonly Entry[],
  ): readonly Entry[] {
    return [...this.fields.values()].flatMap((field) => {
      const list = field.visible ? this.lists.get(field.name) : undefined;
      return list ? [...own(field), ...list.parts.flatMap(ofItem)] : own(field);
    });
  }

  #inItems<Found>(find: (item: FormItem<FormModel>) => Found | undefined): Found | undefined {
    const found = [...this.lists.values()].flatMap(({ parts }) => parts.map(find));
    return found.find((one) => one !== undefined);
  }

  /** Shows the messages of refused fields. Returns their names in the order of the form. `quiet`: the summary announces them. */
  #showRefused(
    isRefused: (field: FieldModel) => boolean,
    show: (field: FieldModel, quiet: boolean) => void,
    showInItem: (item: FormItem<FormModel>) => void,
  ): readonly string[] {
    const refused = new Set([...this.fields.values()].filter((field) => field.visible && isRefused(field)));
    for (const field of refused) show(field, refused.size > 1 || field !== this.lone);
    return this.#collect(
      (field) => (refused.has(field) ? [field.name] : []),
      (item) => {
        showInItem(item);
        return item.refusedAtSubmit;
      },
    );
  }

  #preparing(): readonly FieldModel[] {
    return this.#collect(
      (field) => (field.prepares ? [field] : []),
      ({ form }) => form.#preparing(),
    );
  }

  async #prepareAll(fields: readonly FieldModel[]): Promise<boolean> {
    if (this.#isPreparing) return false;
    this.#isPreparing = true;
    try {
      for (const field of fields) if (!(await field.prepare())) return false;
      return true;
    } finally {
      this.#isPreparing = false;
    }
  }
}

/** Links each field with the fields that its rules read, and those with it. */
function linkFields(fields: ReadonlyMap<string, FieldModel>): void {
  for (const field of fields.values())
    for (const dependent of field.spec.dependents.flatMap((name) => fields.get(name) ?? [])) {
      field.dependents.push(dependent);
      dependent.reads.push(field);
    }
}

/** Computes the names of the hidden fields. Depends only on the fields that visibility rules read, so that other input does not recompute it. */
function computeHidden(
  { computed: order }: ScreenData,
  fields: Iterable<FieldModel>,
  context: Values,
): IComputedValue<ReadonlySet<string>> {
  const ruled = [...fields].filter(({ spec }) => spec.visible !== undefined || spec.computed !== undefined);
  const read = [...new Set(ruled.flatMap(({ reads }) => reads))];
  const screen = { fields: read.map(({ spec }) => spec), computed: order };
  const given = read.filter(({ spec }) => spec.computed === undefined);
  const hidden = () => {
    const values = given.flatMap(({ name, filled }) => (filled === undefined ? [] : [[name, filled] as const]));
    return hiddenFields(screen, values, context);
  };
  return computed(hidden, stable);
}
