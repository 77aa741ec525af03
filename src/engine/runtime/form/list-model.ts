import { observable, runInAction } from 'mobx';
import { joinItemFieldName } from '../../core/field-path.ts';
import type { ValuesByName } from '../../core/json.ts';
import { toListItemForm, toListItem, hasSingleValueItems, getListItemValidator } from '../../core/list-fields.ts';
import { findFieldUiText } from '../../core/screen-ui-queries.ts';
import type { FieldModel } from './field-model.ts';
import { FormModel, type ListFieldHandle, type ListItemForm } from './form-model.ts';

export { listValidator } from '../../core/list-fields.ts';

export class ListModel implements ListFieldHandle {
  readonly field: FieldModel;
  readonly #outer: FormModel;
  readonly #items = observable.box<readonly ListItemForm[]>([], { deep: false });
  readonly #removed = observable.box<{ readonly item: ListItemForm; readonly index: number } | null>(null, {
    deep: false,
  });
  #lastKey = 0;
  #stored: unknown;

  constructor(outer: FormModel, field: FieldModel) {
    this.#outer = outer;
    this.field = field;
    this.recreateItems(field.value);
  }

  get items(): readonly ListItemForm[] {
    return this.#items.get();
  }

  get canAddItem(): boolean {
    return this.items.length < this.#mostItems;
  }

  get canRestoreItem(): boolean {
    return this.canAddItem && this.#removed.get() !== null;
  }

  get visibleValues(): readonly unknown[] {
    return this.items.map(({ form }) => toListItem(this.field.spec, form.visibleValues));
  }

  get #mostItems(): number {
    const { maxItems } = this.field.spec.schema;
    return typeof maxItems === 'number' ? maxItems : Infinity;
  }

  addItem(): void {
    if (this.canAddItem) this.#set([...this.items, this.#open({})]);
  }

  /** Removes an item. The item can be restored until another item is removed. */
  removeItem(index: number): void {
    const item = this.items[index];
    if (item) this.#set(omitIndex(this.items, index), { item, index });
  }

  /** Restores the last removed item. Returns its index, or -1 if there is none. */
  restoreItem(): number {
    const removed = this.#removed.get();
    if (!removed || !this.canAddItem) return -1;
    const index = Math.min(removed.index, this.items.length);
    this.#set(insertItem(this.items, index, removed.item), null);
    return index;
  }

  moveItem(from: number, to: number): void {
    const item = this.items[from];
    if (item && this.items[to]) this.#set(insertItem(omitIndex(this.items, from), to, item));
  }

  syncItems(value: unknown): void {
    if (value !== this.#stored) this.recreateItems(value);
  }

  recreateItems(value: unknown): void {
    this.#stored = value;
    runInAction(() => {
      this.#items.set(this.#openAll(Array.isArray(value) ? value : []));
      this.#removed.set(null);
    });
  }

  get itemTitle(): string {
    const { name } = this.field;
    return findFieldUiText(this.#outer.validator.screen.ui, joinItemFieldName(name, ''), 'ui:title') ?? name;
  }

  formatItemTitle(index: number): string {
    return `${this.itemTitle} ${index + 1}`;
  }

  #openAll(values: readonly unknown[]): readonly ListItemForm[] {
    return values.map((value) => this.#open(toListItemForm(this.field.spec, value) ?? {}));
  }

  #open(values: ValuesByName): ListItemForm {
    const { validator, context } = this.#outer;
    this.#lastKey += 1;
    const form = new FormModel(getListItemValidator(validator, this.field.spec), values, context, {
      onChange: () => this.#store(),
      append: hasSingleValueItems(this.field.spec) ? (more) => this.#append(more) : undefined,
      openList: createListModel,
    });
    return { key: this.#lastKey, form };
  }

  #append(values: readonly unknown[]): number {
    const accepted = values.slice(0, this.#mostItems - this.items.length);
    if (accepted.length > 0) this.#set([...this.items, ...this.#openAll(accepted)]);
    return values.length - accepted.length;
  }

  #set(items: readonly ListItemForm[], removed = this.#removed.get()): void {
    runInAction(() => {
      this.#items.set(items);
      this.#removed.set(removed);
      this.#store();
    });
  }

  #store(): void {
    const values = this.items.map(({ form }) => toListItem(this.field.spec, form.values));
    this.#stored = values.length > 0 ? values : undefined;
    this.field.set(this.#stored);
  }
}

export function createListModel(form: FormModel, field: FieldModel): ListModel {
  return new ListModel(form, field);
}

// Returns a list without one item. `toSpliced` is newer than the supported browsers.
function omitIndex<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.filter((_, at) => at !== index);
}

function insertItem<Item>(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return [...items.slice(0, index), item, ...items.slice(index)];
}
