import type { RJSFSchema, WidgetProps as RjsfWidgetProps } from '@rjsf/utils';
import type { ComponentType } from 'react';
import type { JsonObject } from '../core/json.ts';
import type { Field, FormHandle } from '../runtime/form/field.ts';

export type { Field, FormHandle };
export { afterPress } from '../runtime/press.ts';

/** What the engine gives a widget beside rjsf's own props: `registry.formContext`, one for each field. */
export type WidgetContext = {
  readonly field: Field;
  readonly form: FormHandle;
  /** A text of the plugin's texts.json in the language of the page, `{placeholders}` filled. */
  readonly t: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Invokes a GET operation of the contract by name, with what its address or query takes, past every cache. */
  readonly load: (operation: string, params?: Readonly<Record<string, string>>) => Promise<unknown>;
  /** What time it is, by the server's clock. */
  readonly now: () => Date;
};

/**
 * What a widget receives: rjsf's own props, so that one written for rjsf serves as it is. Label, hint and message are drawn around it by
 * the engine; `value` and `rawErrors` are the field's, and a key draws this field alone.
 */
export type WidgetProps = RjsfWidgetProps<unknown, RJSFSchema, WidgetContext>;

/** The default export of `plugins/<name>/widget.tsx`; its name in ui.json is the folder's name. */
export type Widget = ComponentType<WidgetProps>;

/** Attributes that go onto the native control as they are: they tie it to its label, hint and message. */
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

/** The props of a widget in the engine's own words. */
export interface WidgetParts extends WidgetContext {
  readonly control: ControlAttributes;
  /** `ui:options` of the field, and its other words of the uiSchema without their `ui:`. */
  readonly options: JsonObject;
  /** JSON Schema of the property. */
  readonly schema: JsonObject;
  /** Label of the field, e.g. for a checkbox that draws its own. */
  readonly label: string;
}

/** Reads the props of a widget that is written for this engine. */
export function widgetParts(props: WidgetProps): WidgetParts {
  const { id, name, htmlName, required, disabled, readonly, placeholder, options, schema, label, registry } = props;
  return {
    ...registry.formContext,
    options: options as JsonObject, // of ui.json
    schema: schema as JsonObject, // of schema.json
    label,
    control: {
      id,
      name: htmlName ?? name,
      required: false, // what is missing is told by the rules, not by the browser
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

/** Choices or other reference data that a GET operation of the contract answers, loaded once per page; `status`: the HTTP status of the failure, 0 when no answer came. */
export type Source =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: unknown }
  | { readonly state: 'failed'; readonly status: number };

/** Where the answer of a source, a list of objects, keeps what is stored of a choice and what is read of it: the first key that an object has. */
export interface ChoiceKeys {
  readonly value: readonly string[];
  readonly label: readonly string[];
}
