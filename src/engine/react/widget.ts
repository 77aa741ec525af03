import type { RJSFSchema, WidgetProps as RjsfWidgetProps } from '@rjsf/utils';
import type { ComponentType, FocusEvent } from 'react';
import type { JsonObject, ValuesByName } from '../core/json.ts';
import type { OperationParams } from '../core/operation-result.ts';
import type { Field } from '../runtime/form/field-model.ts';
import type { FormHandle } from '../runtime/form/form-model.ts';

export type { Field, FormHandle };
export { runAfterPointerPress } from '../runtime/run-after-pointer-press.ts';

/** Additional props of a widget, in rjsf's `registry.formContext`. */
export type WidgetContext = {
  readonly field: Field;
  readonly form: FormHandle;
  /** Returns a text of the plugin's texts.json in the language of the page, with filled `{placeholders}`. */
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Invokes a GET operation with its path and query parameters, without a cache. */
  readonly load: (operation: string, params?: OperationParams) => Promise<unknown>;
  /** Returns the current time of the server's clock. */
  readonly now: () => Date;
  /** Response of the operation in the option `source`. `null` while one of its parameters has no value. */
  readonly source?: OperationResponseState | null;
};

/** Props of rjsf widgets, so that rjsf widgets work unchanged. The engine renders label, hint and message. The field sets `value` and `rawErrors`. */
export type WidgetProps = RjsfWidgetProps<unknown, RJSFSchema, WidgetContext>;

export interface WidgetAnswerProps extends Pick<WidgetContext, 't'> {
  readonly value: unknown;
  /** Visible values of the form, without secrets. */
  readonly values: ValuesByName;
  readonly language: string;
  /** `ui:options` of the field. */
  readonly options: JsonObject;
}

/** Default export of `plugins/<name>/widget.tsx`. `Answer` renders the value in a review, if the value as text is not readable. */
export type Widget = ComponentType<WidgetProps> & { readonly Answer?: ComponentType<WidgetAnswerProps> };

/** Attributes to spread on a widget's native control, which associate the control with its label, hint and message. */
export interface ControlAttributes {
  readonly id: string;
  readonly name: string;
  readonly required: boolean;
  readonly 'aria-required': boolean;
  readonly 'aria-invalid': boolean;
  readonly 'aria-describedby': string | undefined;
  readonly autoComplete: string | undefined;
  readonly placeholder: string | undefined;
  readonly readOnly: boolean;
  readonly disabled: boolean;
}

export interface WidgetParts extends WidgetContext {
  readonly control: ControlAttributes;
  /** `ui:options` of the field, and its other `ui:` keywords without the prefix. */
  readonly options: JsonObject;
  readonly schema: JsonObject;
  readonly label: string;
}

export function toWidgetParts(props: WidgetProps): WidgetParts {
  const { id, name, htmlName, required, disabled, readonly, placeholder, options, schema, label, registry } = props;
  return {
    ...registry.formContext,
    options,
    schema,
    label,
    control: {
      id,
      name: htmlName ?? name,
      required: false, // disables native validation, because the rules report missing values
      'aria-required': required === true,
      'aria-invalid': props['aria-invalid'] === true,
      'aria-describedby': props['aria-describedby'],
      autoComplete: typeof options.autocomplete === 'string' ? options.autocomplete : undefined,
      placeholder: placeholder === '' ? undefined : placeholder,
      readOnly: readonly === true,
      disabled: disabled === true,
    },
  };
}

/** Props of the `fieldset` around several controls. Reports a blur only when the focus leaves the group. */
export function toGroupProps({ control, field }: Pick<WidgetParts, 'control' | 'field'>) {
  return {
    id: control.id,
    tabIndex: -1,
    'aria-describedby': control['aria-describedby'],
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent<HTMLElement>) => {
      if (!currentTarget.contains(relatedTarget)) field.blur();
    },
  };
}

/** Response of a GET operation, loaded once per page. `status` is the HTTP status of the failure, or 0 without a response. */
export type OperationResponseState =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: unknown }
  | { readonly state: 'failed'; readonly status: number };

/** Property names for value and label of a choice in a response. The first existing property is used. */
export interface ChoicePropertyNames {
  readonly value: readonly string[];
  readonly label: readonly string[];
}
