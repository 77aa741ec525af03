import { createAtom } from 'mobx';
import { isWithin, nameInItems } from '../../core/field-path.ts';
import type { Values } from '../../core/json.ts';
import { asForm, fromForm, holdsValues, itemValidator, nameInItem } from '../../core/lists.ts';
import type { FieldPlan } from '../../core/screen.ts';
import { uiText } from '../../core/ui.ts';
import { Draft } from './draft.ts';
import type { FieldState } from './field-state.ts';
import type { ListParts } from './form-lists.ts';
import { OpenLists } from './open-lists.ts';

export { listValidator } from '../../core/lists.ts';

/** One item of an open list: its key stays while it moves, and what is typed in it is a small form of its own. */
export interface ListItem {
  readonly key: number;
  readonly draft: Draft;
}

/** The items of a list in an open form. An item is validated by itself; the list's own field holds all of them, and what is wrong with their number. */
export class ListState implements ListParts {
  readonly field: FieldState;
  readonly #outer: Draft;
  readonly #itemsAtom = createAtom('list.items');
  #items: readonly ListItem[] = [];
  #removed: { readonly item: ListItem; readonly index: number } | null = null;
  #lastKey = 0;
  /** What this list stored in its field last. */
  #stored: unknown;

  constructor(outer: Draft, field: FieldState) {
    this.#outer = outer;
    this.field = field;
    this.renew(field.value);
  }

  /** Observable: the items in their order, another array whenever one comes, goes or moves. */
  get items(): readonly ListItem[] {
    this.#itemsAtom.reportObserved();
    return this.#items;
  }

  /** Observable: whether another item may come. */
  get addable(): boolean {
    const { maxItems } = this.field.plan.schema;
    return typeof maxItems !== 'number' || this.items.length < maxItems;
  }

  /** Observable: whether there is an item that can come back. */
  get restorable(): boolean {
    return this.addable && this.#removed !== null;
  }

  /** Every item's form. */
  get drafts(): readonly Draft[] {
    return this.#items.map(({ draft }) => draft);
  }

  /** How many fields of its items are refused. */
  get missing(): number {
    return this.#items.reduce((sum, { draft }) => sum + draft.missing, 0);
  }

  /** Observable: how many of these hold a value whose message is on screen. */
  get wrong(): number {
    return this.drafts.reduce((sum, { wrong }) => sum + wrong, 0);
  }

  /** What rules of the form see of the list: of each item the values that are shown. */
  get shown(): readonly unknown[] {
    return this.#items.map(({ draft }) => fromForm(this.field.plan, draft.shown));
  }

  /** Adds an item at the end. */
  add(): void {
    if (this.addable) this.#set([...this.#items, this.#open({})], this.#removed);
  }

  /** Takes an item away, which can be brought back until the next one goes. */
  remove(index: number): void {
    const item = this.#items[index];
    if (item) this.#set(without(this.#items, index), { item, index });
  }

  /** Brings back the item that went last; answers where it stands, or -1. */
  restore(): number {
    const removed = this.#removed;
    if (!removed || !this.addable) return -1;
    const index = Math.min(removed.index, this.#items.length);
    this.#set(withItem(this.#items, index, removed.item), null);
    return index;
  }

  /** Puts an item in another place. */
  move(from: number, to: number): void {
    const item = this.#items[from];
    if (item && this.#items[to]) this.#set(withItem(without(this.#items, from), to, item), this.#removed);
  }

  /** Takes values that came from elsewhere, as those that the form was opened with. */
  take(value: unknown): void {
    if (value !== this.#stored) this.renew(value);
  }

  /** Opens the items anew. */
  renew(value: unknown): void {
    const given = Array.isArray(value) ? (value as readonly unknown[]) : [];
    this.#stored = value;
    this.#items = given.map((item) => this.#open(asForm(this.field.plan, item) ?? {}));
    this.#removed = null;
    this.#itemsAtom.reportChanged();
  }

  /** The field of an item by its whole name, e.g. "telefonos.2.numero". */
  find(name: string): FieldState | undefined {
    const place = this.#placeOf(name);
    return place && this.#items[place.index]?.draft.field(place.rest);
  }

  /** Observable: the whole name of a field of an item, where that stands now. */
  nameOf(field: FieldState): string | undefined {
    for (const [index, { draft }] of this.items.entries()) {
      const name = draft.nameOf(field);
      if (name !== undefined) return nameInItem(this.field.name, index, name);
    }
    return undefined;
  }

  /** Label of the field of an item, which says the item. */
  labelOf(name: string): string | undefined {
    const place = this.#placeOf(name);
    if (!place) return undefined;
    const inner = place.rest === '' ? undefined : this.#items[place.index]?.draft.labelOf(place.rest);
    return [this.titleOf(place.index), ...(inner === undefined ? [] : [inner])].join(', ');
  }

  /** What any item is called. */
  get itemTitle(): string {
    const { name } = this.field;
    return uiText(this.#outer.validator.screen.ui, nameInItems(name, ''), 'ui:title') ?? name;
  }

  /** What one item is called: the title of all, and its number. */
  titleOf(index: number): string {
    return `${this.itemTitle} ${index + 1}`;
  }

  /** Shows every message of the items; answers the names of the fields that are refused. */
  submit(): readonly string[] {
    return this.#named((draft) => {
      draft.submit();
      return draft.refusedAtSubmit;
    });
  }

  /** Takes the server's messages for fields of items, by their whole names; answers the names of those that are shown. */
  refuse(errors: Readonly<Record<string, string>>): readonly string[] {
    return this.#named((draft, index) => {
      const own = Object.entries(errors).flatMap(([name, message]) => {
        const place = this.#placeOf(name);
        return place?.index === index && draft.field(place.rest) ? [[place.rest, message] as const] : [];
      });
      if (own.length === 0) return [];
      draft.refuse(Object.fromEntries(own), null);
      return draft.refusedAtSubmit;
    });
  }

  /** The messages that are on screen, by whole names. */
  get errors(): readonly (readonly [name: string, message: string])[] {
    return this.items.flatMap(({ draft }, index) =>
      draft.errors.map(([name, message]) => [nameInItem(this.field.name, index, name), message] as const),
    );
  }

  #named(part: (draft: Draft, index: number) => readonly string[]): readonly string[] {
    return this.#items.flatMap(({ draft }, index) =>
      part(draft, index).map((name) => nameInItem(this.field.name, index, name)),
    );
  }

  #placeOf(name: string): { readonly index: number; readonly rest: string } | undefined {
    const own = this.field.name;
    if (own !== '' && (name === own || !isWithin(name, own))) return undefined;
    const [index = '', ...rest] = (own === '' ? name : name.slice(own.length + 1)).split('.');
    return /^\d+$/.test(index) ? { index: Number(index), rest: rest.join('.') } : undefined;
  }

  #open(values: Values): ListItem {
    const { validator, context } = this.#outer;
    this.#lastKey += 1;
    const draft = new Draft(itemValidator(validator, this.field.plan), values, context, {
      onChange: () => this.#store(),
      append: holdsValues(this.field.plan) ? (more) => this.#append(more) : undefined,
      ...(hasLists(this.field.plan) && { lists: openLists }),
    });
    return { key: this.#lastKey, draft };
  }

  #append(values: readonly unknown[]): number {
    const { maxItems } = this.field.plan.schema;
    const room = typeof maxItems === 'number' ? maxItems - this.#items.length : values.length;
    const taken = values.slice(0, room);
    if (taken.length > 0) {
      const added = taken.map((value) => this.#open(asForm(this.field.plan, value) ?? {}));
      this.#set([...this.#items, ...added], this.#removed);
    }
    return values.length - taken.length;
  }

  #set(items: readonly ListItem[], removed: { readonly item: ListItem; readonly index: number } | null): void {
    this.#items = items;
    this.#removed = removed;
    this.#store();
    this.#itemsAtom.reportChanged();
  }

  #store(): void {
    const values = this.#items.map(({ draft }) => fromForm(this.field.plan, draft.values));
    this.#stored = values.length > 0 ? values : undefined;
    this.field.set(this.#stored);
  }
}

function hasLists({ item = [] }: FieldPlan): boolean {
  return item.some((field) => field.item);
}

/** Opens the lists of a form. */
export function openLists(draft: Draft): OpenLists {
  return new OpenLists(
    [...draft.fields.values()].flatMap((field) => (field.plan.item ? [new ListState(draft, field)] : [])),
  );
}

// `toSpliced` is newer than the supported browsers.
function without<Item>(items: readonly Item[], index: number): readonly Item[] {
  return items.filter((_, at) => at !== index);
}

function withItem<Item>(items: readonly Item[], index: number, item: Item): readonly Item[] {
  return [...items.slice(0, index), item, ...items.slice(index)];
}
