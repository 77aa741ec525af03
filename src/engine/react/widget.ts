import type { ComponentType } from 'react';
import type { JsonObject } from '../core/json.ts';
import type { Field, FormHandle } from '../runtime/field.ts';

export type { Field, FormHandle };

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

/** What `plugins/<name>/widget.tsx` receives. Label, hint and message are drawn around it by the engine. */
export interface WidgetProps {
  readonly field: Field;
  readonly form: FormHandle;
  readonly control: ControlAttributes;
  /** `ui:options` of the field. */
  readonly options: JsonObject;
  /** JSON Schema of the property. */
  readonly schema: JsonObject;
  /** Label of the field, e.g. for a checkbox that draws its own. */
  readonly label: string;
  /** A text of the plugin's texts.json in the language of the page, `{placeholders}` filled. */
  readonly text: (key: string, values?: Readonly<Record<string, string | number>>) => string;
  /** Invokes a GET call of the contract by name, past every cache. */
  readonly load: (call: string) => Promise<unknown>;
}

/** The default export of `plugins/<name>/widget.tsx`; its name in ui.json is the folder's name. */
export type Widget = ComponentType<WidgetProps>;

/** Choices or other reference data that a GET call of the contract answers, loaded once per page; `status`: the HTTP status of the failure, 0 when no answer came. */
export type Source =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly data: unknown }
  | { readonly state: 'failed'; readonly status: number };
