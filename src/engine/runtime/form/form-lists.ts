import type { FieldState } from './field-state.ts';

/** An open form of an item, as far as the form around its list must know it. */
export interface ItemForm {
  readonly fields: ReadonlyMap<string, FieldState>;
  readonly lists: FormLists;
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

/** The lists of an open form. */
export interface FormLists {
  readonly all: readonly ListParts[];
  /** Observable: how many fields of items that are shown are refused. */
  readonly missing: number;
  /** Observable: how many of these hold a value whose message is on screen. */
  readonly wrong: number;
  /** The fields of every item that is shown. */
  readonly fields: readonly FieldState[];
  /** The list that a field is. */
  of(name: string): ListParts | undefined;
  /** What the first list answers that knows. */
  first<Found>(find: (list: ListParts) => Found | undefined): Found | undefined;
  /** Tells the items that an operation of the form runs. */
  setBusy(busy: boolean): void;
  /** The names of refused fields in the order of `fields`, each list's followed by those in its items. */
  withItems(
    fields: Iterable<FieldState>,
    refused: readonly FieldState[],
    inItems: (list: ListParts) => readonly string[],
  ): readonly string[];
}

const nothing = () => undefined;

/** Those of a form without any, as most are: it loads nothing else of lists. */
export const noLists: FormLists = {
  all: [],
  missing: 0,
  wrong: 0,
  fields: [],
  of: nothing,
  first: nothing,
  setBusy: nothing,
  withItems: (_, refused) => refused.map(({ name }) => name),
};
