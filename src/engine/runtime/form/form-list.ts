import type { FieldModel } from './field-model.ts';

/** A list of an open form. Its code is loaded with the first screen that has a list. */
export interface FormList<Form> {
  readonly field: FieldModel;
  /** Observable: its items, in their order. */
  readonly parts: readonly FormItem<Form>[];
  /** Observable: the values of its items that rules see. */
  readonly shown: readonly unknown[];
  /** Opens its items from a value that it did not store itself. */
  take(value: unknown): void;
  /** Opens its items from a value. */
  renew(value: unknown): void;
}

/** The form of an item. The names here are whole ones: "telefonos.2.numero". */
export interface FormItem<Form> {
  readonly form: Form;
  readonly errors: readonly (readonly [name: string, message: string])[];
  readonly refusedAtSubmit: readonly string[];
  field(name: string): FieldModel | undefined;
  findFieldName(field: FieldModel): string | undefined;
  findFieldLabel(name: string): string | undefined;
  refuse(errors: Readonly<Record<string, string>>): void;
}
