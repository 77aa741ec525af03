import type { FieldState } from './field-state.ts';

/** An open form of an item, as far as the form around its list must know it. */
export interface ItemForm {
  readonly fields: ReadonlyMap<string, FieldState>;
  setBusy(busy: boolean): void;
}

/** A list of an open form, as far as the form itself must know it. */
export interface ListParts {
  readonly field: FieldState;
  /** How many fields of its items are refused. */
  readonly missing: number;
  /** Observable: how many of these hold a value whose message is on screen. */
  readonly wrong: number;
  /** Of each item the values that rules see. */
  readonly shown: readonly unknown[];
  readonly drafts: readonly ItemForm[];
  readonly errors: readonly (readonly [name: string, message: string])[];
  /** Takes values that came from elsewhere. */
  take(value: unknown): void;
  /** Opens the items anew. */
  renew(value: unknown): void;
  find(name: string): FieldState | undefined;
  /** Observable: the whole name of a field of an item, where that stands now. */
  nameOf(field: FieldState): string | undefined;
  labelOf(name: string): string | undefined;
  submit(): readonly string[];
  refuse(errors: Readonly<Record<string, string>>): readonly string[];
}

/** The lists of an open form; most forms have none. */
export class FormLists {
  readonly all: readonly ListParts[];

  constructor(all: readonly ListParts[]) {
    this.all = all;
  }

  /** Observable: the lists that are shown. */
  get visible(): readonly ListParts[] {
    return this.all.filter(({ field }) => field.visible);
  }

  /** Observable: how many fields of items that are shown are refused. */
  get missing(): number {
    return this.visible.reduce((sum, { missing }) => sum + missing, 0);
  }

  /** Observable: how many of these hold a value whose message is on screen. */
  get wrong(): number {
    return this.visible.reduce((sum, { wrong }) => sum + wrong, 0);
  }

  /** The list that a field is. */
  of(name: string): ListParts | undefined {
    return this.all.find(({ field }) => field.name === name);
  }

  /** What the first list answers that knows. */
  first<Found>(find: (list: ListParts) => Found | undefined): Found | undefined {
    for (const list of this.all) {
      const found = find(list);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  /** The fields of every item that is shown. */
  get fields(): readonly FieldState[] {
    return this.visible.flatMap(({ drafts }) => drafts.flatMap(({ fields }) => [...fields.values()]));
  }

  /** Tells the items that an operation of the form runs. */
  setBusy(busy: boolean): void {
    for (const draft of this.all.flatMap(({ drafts }) => drafts)) draft.setBusy(busy);
  }

  /** The names of refused fields in the order of `fields`, each list's followed by those in its items. */
  withItems(
    fields: Iterable<FieldState>,
    refused: readonly FieldState[],
    inItems: (list: ListParts) => readonly string[],
  ): readonly string[] {
    const lists = this.visible;
    if (lists.length === 0) return refused.map(({ name }) => name);
    return [...fields].flatMap((field) => {
      const list = lists.find((one) => one.field === field);
      return [...(refused.includes(field) ? [field.name] : []), ...(list ? inItems(list) : [])];
    });
  }
}
