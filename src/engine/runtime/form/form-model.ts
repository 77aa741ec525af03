import { action, computed, makeObservable, observable, observableRef, runInAction } from 'mobx';
import { isFieldWithin, joinFieldName, nestFieldValues, getFieldValue } from '../../core/field-path.ts';
import type { JsonObject, ValuesByName } from '../../core/json.ts';
import { readFieldUi, findFieldUiText } from '../../core/screen-ui-queries.ts';
import { validateScreenForm, type ScreenValidator } from '../../core/validate-screen-form.ts';
import { observePointerPresses } from '../run-after-pointer-press.ts';
import {
  collectVisibleValues,
  computeHiddenFields,
  FieldModel,
  linkDependentFields,
  type Field,
  type FormOfField,
} from './field-model.ts';

type Submission = { readonly data: ValuesByName } | null;

export interface FormHandle extends Readonly<Pick<FormModel, 'failures' | 'busy' | 'send'>> {
  field(name: string): Field | undefined;
  readonly append?: FormModel['append'];
}

export interface ListItemForm {
  readonly key: number;
  readonly form: FormModel;
}

/** List of an open form. Its implementation is loaded with the first screen that has a list. Its properties are observable. */
export interface ListFieldHandle {
  readonly field: FieldModel;
  readonly items: readonly ListItemForm[];
  /** Values of the visible fields of the items, for rules. */
  readonly visibleValues: readonly unknown[];
  formatItemTitle(index: number): string;
  /** Recreates the items from a value, unless the list itself stored this value. */
  syncItems(value: unknown): void;
  recreateItems(value: unknown): void;
}

/** Form of a list item, with the item's name in the outer form ("telefonos.2") and its title. */
interface NamedItem {
  readonly form: FormModel;
  readonly at: string;
  readonly title: string;
}

interface FormOptions {
  readonly openList?: (form: FormModel, field: FieldModel) => ListFieldHandle;
  /** Called after each change of a field. Only lists set it, to store the values of their items. */
  readonly onChange?: () => void;
  readonly append?: FormModel['append'];
}

/** Visibility, errors and counts are computed values of MobX, so that the cost of a keystroke does not depend on the size of the form. */
export class FormModel implements FormOfField {
  readonly validator: ScreenValidator;
  readonly context: ValuesByName;
  readonly hidden;
  readonly fields: ReadonlyMap<string, FieldModel>;
  readonly lists: ReadonlyMap<string, ListFieldHandle>;
  /** Appends items to a list of single values, up to its maximum length. Returns the number of omitted values. */
  readonly append: ((values: readonly unknown[]) => number) | undefined;
  readonly #opened: ValuesByName;
  readonly #onChange: (() => void) | undefined;
  readonly #followers: readonly FieldModel[];
  #send: ((event: string) => void) | null = null;
  #isPreparing = false;
  /** Observable: number of failed submits. When it increases, a widget with a single-use value (captcha) renews the value. */
  failures = 0;
  busy = false;
  formError: string | null = null;
  /** Whether the form was submitted. Before that, the form does not show the number of missing values. */
  attempted = false;
  /** Names of the invalid fields of the last submit, for the error summary. Each submit creates a new array. */
  refusedAtSubmit: readonly string[] = [];

  constructor(validator: ScreenValidator, values: ValuesByName, context: ValuesByName, options: FormOptions = {}) {
    observePointerPresses();
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
      incomplete: computed,
    });
    const fields = validator.screen.fields.map((spec) => new FieldModel(spec, this, getFieldValue(values, spec.name)));
    this.fields = new Map(fields.map((field) => [field.name, field]));
    linkDependentFields(this.fields);
    this.lists = new Map(
      fields.flatMap((field) => {
        const list = field.spec.item && options.openList?.(this, field);
        field.list = list ?? null;
        return list ? [[field.name, list] as const] : [];
      }),
    );
    this.hidden = computeHiddenFields(validator.screen, fields, context);
    this.#followers = fields.filter(({ reads, spec }) => reads.length > 1 || spec.offeredWhen !== undefined);
    runInAction(() => this.#follow());
  }

  /** Returns a field by its name. Item fields have names such as "telefonos.2.numero". */
  field(name: string): FieldModel | undefined {
    return this.fields.get(name) ?? this.#inItem(name, ({ form }, rest) => form.field(rest));
  }

  /** Observable: the current name of a field of this form or of an item. `undefined` if its item was removed. */
  findFieldName(field: FieldModel): string | undefined {
    if (this.fields.get(field.name) === field) return field.name;
    const names = this.#items.map(({ form, at }) => ({ at, name: form.findFieldName(field) }));
    const found = names.find(({ name }) => name !== undefined);
    return found && joinFieldName(found.at, found.name ?? '');
  }

  /** Observable: the only visible field, for which no error summary is necessary. `null` if several fields are visible. */
  get onlyVisibleField(): FieldModel | null {
    const { ui } = this.validator.screen;
    const isDrawn = ({ name, visible }: FieldModel) => visible && readFieldUi(ui, name)['ui:widget'] !== 'hidden';
    const [field, ...others] = [...this.fields.values()].filter(isDrawn);
    return field && others.length === 0 && !field.list ? field : null;
  }

  findFieldLabel(name: string): string {
    const own = findFieldUiText(this.validator.screen.ui, name, 'ui:title');
    const label = ({ form, title }: NamedItem, rest: string) =>
      rest === '' ? title : `${title}, ${form.findFieldLabel(rest)}`;
    return own ?? this.#inItem(name, label) ?? name;
  }

  findFieldUi(name: string): JsonObject {
    const { ui } = this.validator.screen;
    return this.#inItem(name, ({ form }, rest) => form.findFieldUi(rest)) ?? readFieldUi(ui, name);
  }

  get errors(): readonly (readonly [name: string, message: string])[] {
    return this.#collect(
      ({ name, error }) => (error === null ? [] : [[name, error] as const]),
      ({ form, at }) => form.errors.map(([name, message]) => [joinFieldName(at, name), message] as const),
    );
  }

  get visibleValues(): ValuesByName {
    return collectVisibleValues([...this.fields.values()]);
  }

  /** Observable: whether any of these fields is visible. A name may also name an object of fields. */
  shows(names: readonly string[]): boolean {
    return [...this.fields.values()].some(
      (field) => names.some((name) => isFieldWithin(field.name, name)) && field.visible,
    );
  }

  get ready(): boolean {
    return this.incomplete === 0;
  }

  /** Observable: number of missing and invalid values. */
  get incomplete(): number {
    return this.#collect(
      ({ incomplete }) => (incomplete ? [true] : []),
      ({ form }) => Array.from({ length: form.incomplete }, () => true),
    ).length;
  }

  /** Observable: all values, including the values of hidden fields. */
  get values(): ValuesByName {
    return nestFieldValues([...this.fields].map(([name, field]) => [name, field.value]));
  }

  changed(field: FieldModel): void {
    this.lists.get(field.name)?.syncItems(field.value);
    this.#follow();
    this.#onChange?.();
  }

  submit(): Submission {
    this.attempted = true;
    for (const field of this.fields.values()) field.settle();
    const { data, errors } = validateScreenForm(this.validator, this.visibleValues, this.context);
    this.formError = errors[''] ?? null;
    this.refusedAtSubmit = this.#showRefused(
      ({ name, refusedByServer }) => refusedByServer || Object.hasOwn(errors, name),
      (field, quiet) => field.show(quiet),
      ({ form }) => form.submit(),
    );
    return this.refusedAtSubmit.length > 0 || this.formError !== null ? null : { data };
  }

  /** Submits after the `beforeSubmit` tasks of widgets. Synchronous if there are no tasks. */
  submitPrepared(): Submission | Promise<Submission> {
    const submission = this.submit();
    if (!submission) return null;
    const prepared = this.prepare();
    return prepared === true ? submission : prepared.then((ready) => (ready ? this.submit() : null));
  }

  reset(): void {
    for (const field of this.fields.values()) {
      field.set(getFieldValue(this.#opened, field.name));
      field.settle();
    }
    for (const list of this.lists.values()) list.recreateItems(getFieldValue(this.#opened, list.field.name));
    for (const field of this.fields.values()) field.forget();
    this.formError = null;
    this.attempted = false;
    this.refusedAtSubmit = [];
  }

  /** Runs the `beforeSubmit` tasks until one fails. `false`: one has failed or an earlier call is pending. Synchronous if there are no tasks. */
  prepare(): true | Promise<boolean> {
    const fields = this.#preparing();
    return fields.length === 0 ? true : this.#prepareAll(fields);
  }

  send(event = 'submit'): void {
    this.#send?.(event);
  }

  onSend(send: (event: string) => void): () => void {
    this.#send = send;
    return () => {
      if (this.#send === send) this.#send = null;
    };
  }

  /** Shows server errors: at their fields until the fields change, or above the form if no visible field has the name. */
  refuse(errors: Readonly<Record<string, string>>, formError: string | null): void {
    this.failures += 1;
    const rest = Object.entries(errors)
      .filter(([name]) => !this.field(name)?.visible)
      .map(([, message]) => message);
    this.refusedAtSubmit = this.#showRefused(
      ({ name }) => Object.hasOwn(errors, name),
      ({ name }, quiet) => this.fields.get(name)?.refuse(errors[name] ?? '', quiet),
      ({ form, at }) => form.refuse(selectItemErrors(errors, at), null),
    );
    this.formError = formError ?? (rest.length > 0 ? rest.join(' ') : null);
  }

  setBusy(busy: boolean): void {
    this.busy = busy;
    for (const { form } of this.#items) form.setBusy(busy);
  }

  #follow(): void {
    let hasChanged: boolean;
    do {
      // `filter` rather than `some`, so that `follow` is called on each field even after one has changed
      hasChanged = this.#followers.filter((field) => field.follow()).length > 0;
    } while (hasChanged);
  }

  /** Collects entries of the fields in order. The entries of a visible list are followed by the entries of its items. */
  #collect<Entry>(
    own: (field: FieldModel) => readonly Entry[],
    ofItem: (item: NamedItem) => readonly Entry[],
  ): readonly Entry[] {
    return [...this.fields.values()].flatMap((field) => {
      const list = field.visible ? this.lists.get(field.name) : undefined;
      return list ? [...own(field), ...nameItems(list).flatMap(ofItem)] : own(field);
    });
  }

  get #items(): readonly NamedItem[] {
    return [...this.lists.values()].flatMap(nameItems);
  }

  #inItem<Found>(name: string, find: (item: NamedItem, rest: string) => Found): Found | undefined {
    const item = this.#items.find(({ at }) => isFieldWithin(name, at));
    return item && find(item, name.slice(item.at.length + 1));
  }

  /** Shows the messages of invalid fields. Returns their names in display order. `quiet` means that the summary announces the messages. */
  #showRefused(
    isRefused: (field: FieldModel) => boolean,
    show: (field: FieldModel, quiet: boolean) => void,
    showInItem: (item: NamedItem) => void,
  ): readonly string[] {
    const refused = new Set([...this.fields.values()].filter((field) => field.visible && isRefused(field)));
    for (const field of refused) show(field, refused.size > 1 || field !== this.onlyVisibleField);
    return this.#collect(
      (field) => (refused.has(field) ? [field.name] : []),
      (item) => {
        showInItem(item);
        return item.form.refusedAtSubmit.map((name) => joinFieldName(item.at, name));
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

function nameItems(list: ListFieldHandle): readonly NamedItem[] {
  return list.items.map(({ form }, index) => ({
    form,
    at: joinFieldName(list.field.name, String(index)),
    title: list.formatItemTitle(index),
  }));
}

function selectItemErrors(errors: Readonly<Record<string, string>>, at: string): Readonly<Record<string, string>> {
  const own = Object.entries(errors).filter(([name]) => isFieldWithin(name, at));
  return Object.fromEntries(own.map(([name, message]) => [name.slice(at.length + 1), message]));
}
