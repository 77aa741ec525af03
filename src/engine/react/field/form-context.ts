import { createContext, useContext } from 'react';
import { splitFieldName } from '../../core/field-path.ts';
import type { FormModel } from '../../runtime/form/form-model.ts';
import type { Theme } from '../theme.ts';
import type { Widget } from '../widget.ts';

/** What the fields of an open form share; it never changes while the form is open. */
export interface FormParts {
  readonly draft: FormModel;
  readonly theme: Theme;
  /** Widgets of plugins by folder name. */
  readonly widgets: Readonly<Record<string, Widget>>;
  /** In an item of a list what its fields stand in: "telefonos.2". */
  readonly within?: string;
  /** What that item is called: "Teléfono 3". */
  readonly itemTitle?: string;
}

/** The name by which the form of a field knows it: in an item of a list the rest of its whole name. */
export function nameIn({ within }: FormParts, name: string): string {
  return within === undefined ? name : name.slice(within.length + 1);
}

/** Id of a field's control, as rjsf makes it of its name. */
export function createFieldId(name: string): string {
  return [idPrefix, ...splitFieldName(name)].join(idSeparator);
}

export const idPrefix = 'field';
export const idSeparator = '-';

export const FormContext = createContext<FormParts | null>(null);

/** BCP 47 language that the form is drawn in. Outside a form it is undefined, which Intl takes for the language of the browser. */
export function useFormLanguage(): string | undefined {
  return useContext(FormContext)?.draft.validator.screen.language;
}
