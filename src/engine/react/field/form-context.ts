import { createContext, useContext } from 'react';
import { splitFieldName } from '../../core/field-path.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import type { Theme } from '../theme.ts';
import type { Widget } from '../widget.ts';

/** Data shared by the fields of an open form. Constant while the form is open. */
export interface FormContextValue {
  readonly form: FormModel;
  readonly theme: Theme;
  readonly widgets: Readonly<Record<string, Widget>>;
  /** Name of the list item that contains the fields, e.g. "telefonos.2". */
  readonly within?: string;
  readonly itemTitle?: string;
}

/** Converts the full name of a field to its name in the form, which omits the name of the list item. */
export function toLocalFieldName({ within }: FormContextValue, name: string): string {
  return within === undefined ? name : name.slice(within.length + 1);
}

export function createFieldId(name: string): string {
  return [fieldIdPrefix, ...splitFieldName(name)].join(fieldIdSeparator);
}

export const fieldIdPrefix = 'field';
export const fieldIdSeparator = '-';

export const FormContext = createContext<FormContextValue | null>(null);

/** Returns the BCP 47 language of the form. Returns `undefined` outside a form, for which Intl uses the language of the browser. */
export function useFormLanguage(): string | undefined {
  return useContext(FormContext)?.form.validator.screen.language;
}
