import type { FieldState } from './field-state.ts';
import type { FormLists, ListParts } from './form-lists.ts';

/** The lists of a form that has some. */
export class OpenLists implements FormLists {
  readonly all: readonly ListParts[];

  constructor(all: readonly ListParts[]) {
    this.all = all;
  }

  /** Observable: the lists that are shown. */
  get visible(): readonly ListParts[] {
    return this.all.filter(({ field }) => field.visible);
  }

  get missing(): number {
    return this.visible.reduce((sum, { missing }) => sum + missing, 0);
  }

  get wrong(): number {
    return this.visible.reduce((sum, { wrong }) => sum + wrong, 0);
  }

  of(name: string): ListParts | undefined {
    return this.all.find(({ field }) => field.name === name);
  }

  first<Found>(find: (list: ListParts) => Found | undefined): Found | undefined {
    for (const list of this.all) {
      const found = find(list);
      if (found !== undefined) return found;
    }
    return undefined;
  }

  get fields(): readonly FieldState[] {
    return this.visible.flatMap(({ drafts }) =>
      drafts.flatMap(({ fields, lists }) => [...fields.values(), ...lists.fields]),
    );
  }

  setBusy(busy: boolean): void {
    for (const draft of this.all.flatMap(({ drafts }) => drafts)) draft.setBusy(busy);
  }

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
