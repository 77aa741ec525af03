import { isWithin, nameWithin } from '../../core/field-path.ts';
import type { FieldModel } from './field-model.ts';

/** A list of an open form. Its code is loaded with the first screen that has a list. */
export interface FormList<Form> {
  readonly field: FieldModel;
  /** Observable: the forms of its items. */
  readonly forms: readonly Form[];
  /** Observable: the values of its items that rules see. */
  readonly shown: readonly unknown[];
  titleOf(index: number): string;
  /** Opens its items from a value that it did not store itself. */
  take(value: unknown): void;
  /** Opens its items from a value. */
  renew(value: unknown): void;
}

/** An item, and its name: "telefonos.2". */
interface NamedItem<Form> {
  readonly at: string;
  readonly form: Form;
  readonly title: string;
}

export function itemsOf<Form>(list: FormList<Form>): readonly NamedItem<Form>[] {
  const { field, forms } = list;
  return forms.map((form, index) => ({ at: nameWithin(field.name, String(index)), form, title: list.titleOf(index) }));
}

/** Returns the rest of a name that begins with the name of an item; undefined for any other. */
export function nameInside(name: string, item: string): string | undefined {
  return isWithin(name, item) ? name.slice(item.length + 1) : undefined;
}

/** The errors of an item's fields, by their names in it. */
export function errorsInside(errors: Readonly<Record<string, string>>, item: string): Readonly<Record<string, string>> {
  const inner = Object.entries(errors).map(([name, message]) => [nameInside(name, item), message] as const);
  return Object.fromEntries(inner.filter(([name]) => name !== undefined));
}
