import { action, compareStructural, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { isWithin, nameWithin, nested, valueAt } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { uiOf, uiText } from '../../core/ui.ts';
import { checkForm, hiddenFields, type Validator } from '../../core/validate.ts';
import { watchPresses } from '../press.ts';
import { FieldModel, scopeOf, type Field, type FieldForm } from './field-model.ts';

/** The values to send, or null if the form is refused. */
export type Submission = { readonly data: Values } | null;

/** The open form, as a widget sees it. */
export interface FormHandle {
  field(name: string): Field | undefined;
  /** Observable: number of submits that the server refused. A widget with a single-use answer (captcha) renews it when this grows. */
  readonly failures: number;
  /** Observable: whether an operation of this form is pending. */
  readonly busy: boolean;
  /** Sends the form as its button does. */
  send(): void;
  /** In a list of single values: appends items, as many as the list may hold. Returns how many were left out. */
  readonly append?: (values: readonly unknown[]) => number;
}

/** A list of an open form. Its code is loaded with the first screen that has a list. */
export interface FormList {
  readonly field: FieldModel;
  /** Observable: the forms of its items. */
  readonly forms: readonly FormModel[];
  /** Observable: the values of its items that rules see. */
  readonly shown: readonly unknown[];
  titleOf(index: number): string;
  /** Opens its items from a value that it did not store itself. */
  take(value: unknown): void;
  /** Opens its items from a value. */
  renew(value: unknown): void;
}

export interface FormOptions {
  readonly openList?: (form: FormModel, field: FieldModel) => FormList;
  /** Called after each change of a value. */
  readonly onChange?: () => void;
  readonly append?: FormHandle['append'];
}

/** An open form: one model per field. Visibility, errors and counts are computed from their values, so a key costs the same at any size. */
export class FormModel implements FormHandle, FieldForm {
  readonly validator: Validator;
  readonly context: Values;
  readonly fields: ReadonlyMap<string, FieldModel>;
  /** By the names of their fields. */
  readonly lists: ReadonlyMap<string, FormList>;
  readonly append: FormHandle['append'];
  readonly #opened: Values;
  readonly #onChange: (() => void) | undefined;
  readonly #followers: readonly FieldModel[];
  readonly #hidden;
  readonly #counts = computed(() => this.#count(), { equals: compareStructural });
  #send: (() => void) | null = null;
  #isPreparing = false;
  failures = 0;
  busy = false;
  /** A message of the server that belongs to no field. */
  formError: string | null = null;
  /** Names of the fields that the last submit refused, for the summary. A new array at each submit. */
  refusedAtSubmit: readonly string[] = [];

  constructor(validator: Validator, values: Values, context: Values, options: FormOptions = {}) {
    watchPresses();
    const { screen } = validator;
    this.validator = validator;
    this.context = context;
    this.append = options.append;
    this.#opened = values;
    this.#onChange = options.onChange;
    makeObservable(this, {
      failures: observable,
      busy: observable,
      formError: observable,
      refusedAtSubmit: observableRef,
      submit: action,
      refuse: action,
      reset: action,
      setBusy: action,
      ready: computed,
    });
    const fields = screen.fields.map((spec) => new FieldModel(spec, this, valueAt(values, spec.name)));
    this.fields = new Map(fields.map((field) => [field.name, field]));
    for (const field of fields)
      for (const dependent of field.spec.dependents.flatMap((name) => this.fields.get(name) ?? [])) {
        field.dependents.push(dependent);
        dependent.reads.push(field);
      }
    this.lists = new Map(
      fields.flatMap((field) => {
        field.list = (field.spec.item && options.openList?.(this, field)) ?? null;
        return field.list ? [[field.name, field.list as FormList] as const] : [];
      }),
    );
    const ruled = fields.filter(({ spec }) => spec.visible !== undefined || spec.computed !== undefined);
    const read = [...new Set(ruled.flatMap(({ reads }) => reads))];
    const rules = { fields: read.map(({ spec }) => spec), computed: screen.computed };
    this.#hidden = computed(
      () => {
        const given = read.filter(({ spec }) => spec.computed === undefined);
        return hiddenFields(rules, given.flatMap(({ name, filled }) => (filled === undefined ? [] : [[name, filled] as const])), context); // prettier-ignore
      },
      { equals: compareStructural, keepAlive: true },
    );
    this.#followers = fields.filter(({ reads, spec }) => reads.length > 1 || spec.offeredWhen !== undefined);
    runInAction(() => this.#follow());
  }

  /** Returns a field by its name, also that of an item: "telefonos.2.numero". */
  field(name: string): FieldModel | undefined {
    return this.fields.get(name) ?? this.#inItems(name, (form, rest) => form.field(rest));
  }

  /** Observable: the current name of a field of this form or of an item. Undefined once its item is removed. */
  nameOf(field: FieldModel): string | undefined {
    if (this.fields.get(field.name) === field) return field.name;
    for (const [at, form] of this.#items()) {
      const name = form.nameOf(field);
      if (name !== undefined) return nameWithin(at, name);
    }
    return undefined;
  }

  /** Observable: the only visible field. Its message needs no summary. */
  get lone(): FieldModel | null {
    const { ui } = this.validator.screen;
    const isDrawn = ({ name, visible }: FieldModel) => visible && uiOf(ui, name)['ui:widget'] !== 'hidden';
    const [field, ...others] = [...this.fields.values()].filter(isDrawn);
    return field && others.length === 0 && !field.list ? field : null;
  }

  labelOf(name: string): string {
    const inItem = (form: FormModel, rest: string, title: string) =>
      rest === '' ? title : `${title}, ${form.labelOf(rest)}`;
    return uiText(this.validator.screen.ui, name, 'ui:title') ?? this.#inItems(name, inItem) ?? name;
  }

  /** Observable: the visible messages, by field. */
  get errors(): readonly (readonly [name: string, message: string])[] {
    return [...this.fields.values()].flatMap((field) => [
      ...(field.error === null ? [] : [[field.name, field.error] as const]),
      ...this.#items([field]).flatMap(([at, form]) =>
        form.errors.map(([name, message]) => [nameWithin(at, name), message] as const),
      ),
    ]);
  }

  get hidden(): ReadonlySet<string> {
    return this.#hidden.get();
  }

  /** Observable: the values that rules see, those of visible fields. */
  get shown(): Values {
    return scopeOf([...this.fields.values()]);
  }

  /** Observable: whether any of these fields, or of the fields of these objects, is visible. */
  shows(names: readonly string[]): boolean {
    return [...this.fields.values()].some((field) => names.some((name) => isWithin(field.name, name)) && field.visible);
  }

  /** Observable: whether every required value is there and nothing is refused. */
  get ready(): boolean {
    return this.missing === 0;
  }

  /** Observable: how many values are missing or refused. */
  get missing(): number {
    return this.#counts.get().missing;
  }

  /** Observable: how many of these hold a value whose message is on screen. */
  get wrong(): number {
    return this.#counts.get().wrong;
  }

  /** Observable: all values, those of hidden fields included. */
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
    for (const field of this.fields.values()) field.settle();
    const { data, errors } = checkForm(this.validator, this.shown, this.context);
    this.formError = errors[''] ?? null;
    const refused = [...this.fields.values()].filter(
      ({ name, visible, refused }) => visible && (Object.hasOwn(errors, name) || refused),
    );
    for (const field of refused) field.show(this.#isQuiet(field, refused));
    this.refusedAtSubmit = this.#withItems(refused, (form) => {
      form.submit();
      return form.refusedAtSubmit;
    });
    return this.refusedAtSubmit.length > 0 || this.formError !== null ? null : { data };
  }

  /** Submits once the widgets have done their work before it; synchronously if there is none. */
  submitPrepared(): Submission | Promise<Submission> {
    const submission = this.submit();
    if (!submission) return null;
    const prepared = this.prepare();
    return prepared === true ? submission : prepared.then((ready) => (ready ? this.submit() : null));
  }

  /** Restores the values that it was opened with, and hides all messages. */
  reset(): void {
    for (const field of this.fields.values()) {
      field.set(valueAt(this.#opened, field.name));
      field.settle();
    }
    for (const list of this.lists.values()) list.renew(valueAt(this.#opened, list.field.name));
    for (const field of this.fields.values()) field.forget();
    this.formError = null;
    this.refusedAtSubmit = [];
  }

  /**
   * Lets widgets do their work before a submit, one after the other until one refuses. Resolves to whether the form may be sent; false as
   * well while an earlier call is pending. Returns true synchronously if there is nothing to do.
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
    const refused = [...this.fields.values()].filter(({ name, visible }) => visible && Object.hasOwn(errors, name));
    for (const field of refused) field.refuse(errors[field.name] ?? '', this.#isQuiet(field, refused));
    this.refusedAtSubmit = this.#withItems(refused, (form, at) => {
      const own = Object.entries(errors).flatMap(([name, message]) => {
        const inner = nameInside(name, at);
        return inner !== undefined && form.field(inner) ? [[inner, message] as const] : [];
      });
      if (own.length === 0) return [];
      form.refuse(Object.fromEntries(own), null);
      return form.refusedAtSubmit;
    });
    this.formError = formError ?? (rest.length > 0 ? rest.join(' ') : null);
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    for (const [, form] of this.#items()) form.setBusy(busy);
  }

  #follow(): void {
    while (this.#followers.filter((field) => field.follow()).length > 0);
  }

  #count(): { readonly missing: number; readonly wrong: number } {
    let [missing, wrong] = [0, 0];
    for (const { standing } of this.fields.values()) {
      if (standing !== 'fine') missing += 1;
      if (standing === 'wrong') wrong += 1;
    }
    for (const [, form] of this.#items(this.#visibleFields())) {
      missing += form.missing;
      wrong += form.wrong;
    }
    return { missing, wrong };
  }

  #visibleFields(): readonly FieldModel[] {
    return [...this.fields.values()].filter(({ visible }) => visible);
  }

  /** The forms of the items of list fields, with the names of the items: "telefonos.2". */
  #items(fields: Iterable<FieldModel> = this.fields.values()): readonly (readonly [at: string, form: FormModel])[] {
    if (this.lists.size === 0) return [];
    return [...fields].flatMap(({ name }) =>
      (this.lists.get(name)?.forms ?? []).map((form, index) => [nameWithin(name, String(index)), form] as const),
    );
  }

  /** Looks a name up in the item that it belongs to. */
  #inItems<Found>(
    name: string,
    find: (form: FormModel, rest: string, title: string) => Found | undefined,
  ): Found | undefined {
    for (const list of this.lists.values())
      for (const [index, form] of list.forms.entries()) {
        const rest = nameInside(name, nameWithin(list.field.name, String(index)));
        if (rest !== undefined) return find(form, rest, list.titleOf(index));
      }
    return undefined;
  }

  /** The names of refused fields in the order of the form, each list's followed by those in its items. */
  #withItems(
    refused: readonly FieldModel[],
    inItem: (form: FormModel, at: string) => readonly string[],
  ): readonly string[] {
    const names = new Set(refused.map(({ name }) => name));
    return this.#visibleFields().flatMap((field) => [
      ...(names.has(field.name) ? [field.name] : []),
      ...this.#items([field]).flatMap(([at, form]) => inItem(form, at).map((name) => nameWithin(at, name))),
    ]);
  }

  #isQuiet(field: FieldModel, refused: readonly FieldModel[]): boolean {
    return refused.length > 1 || field !== this.lone;
  }

  #preparing(): readonly FieldModel[] {
    return [
      ...[...this.fields.values()].filter(({ prepares }) => prepares),
      ...this.#items(this.#visibleFields()).flatMap(([, form]) => form.#preparing()),
    ];
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

/** Returns the rest of a name that begins with the name of an item; undefined for any other. */
function nameInside(name: string, item: string): string | undefined {
  return isWithin(name, item) ? name.slice(item.length + 1) : undefined;
}
