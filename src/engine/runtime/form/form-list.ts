import type { FieldModel } from './field-model.ts';

/** A list of an open form. Its code is loaded with the first screen that has a list. */
export interface FormList<Form> {
  readonly field: FieldModel;
  readonly parts: readonly FormItem<Form>[];
  /** Observable: the item values that rules may read. */
  readonly shown: readonly unknown[];
  /** Reopens the items from a value, unless the list stored it itself. */
  take(value: unknown): void;
  /** Reopens the items from a value. */
  renew(value: unknown): void;
}

/** The form of an item. Names include the path of the list: "telefonos.2.numero". */
export interface FormItem<Form> {
  readonly form: Form;
  readonly errors: readonly (readonly [name: string, message: string])[];
  readonly refusedAtSubmit: readonly string[];
  field(name: string): FieldModel | undefined;
  findFieldName(field: FieldModel): string | undefined;
  findFieldLabel(name: string): string | undefined;
  refuse(errors: Readonly<Record<string, string>>): void;
}
