import type { ValuesByName } from '../../../src/engine/core/json.ts';

/**
 * Input for the control with this label: text, the text of an option, or a file. Without a value, the control is
 * pressed or ticked. Titles of groups may precede the label: "Domicilio > Calle".
 */
export type TypedInput = readonly [label: string, value?: string | File];

/** An attempt to submit the form: the input, and the expected result. */
export interface SubmitAttempt {
  readonly typed?: readonly TypedInput[];
  /** Placeholders of empty controls, by label. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Texts of controls after the input, by label. */
  readonly shown?: Readonly<Record<string, string>>;
  /** Visible texts outside the fields. */
  readonly texts?: readonly string[];
  /** Labels of the visible fields after the input, in order. */
  readonly drawn?: readonly string[];
  /** Labels of the fields that are half as wide as the form. */
  readonly beside?: readonly string[];
  /** Visible error messages by field, if the form cannot be submitted. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Submitted values. */
  readonly sent?: ValuesByName;
  /** Error messages of the server for the same input, by field. */
  readonly refusal?: Readonly<Record<string, string>>;
}

/** Files of one screen that the sample defines. */
export interface SampleForm {
  readonly schema: object;
  /** Content of ui.json, without the title and the button. */
  readonly ui: object;
  /** Prefilled values of the form's state in the flow. */
  readonly prefill?: ValuesByName;
  /** Definitions in schemas/_shared/person.json. */
  readonly shared?: object;
}

/** A problem that the compiler reports: file, pointer, and patterns of its message and its hint. */
export type CompilerRefusal = readonly [file: 'schema' | 'ui', pointer: string, message: RegExp, hint: RegExp];

/** A sample that corresponds to the one with the same name in rjsf's playground. */
export interface Sample {
  readonly name: string;
  readonly note: string;
  /** The form of the playground, if the compiler rejects it, with all expected problems. */
  readonly refused?: Partial<SampleForm> & { readonly because: readonly CompilerRefusal[] };
  /** The form to render: that of the playground, or its replacement if the compiler rejects that one. */
  readonly form: SampleForm;
  readonly attempts: readonly SubmitAttempt[];
}

/** Creates the entries of ui.json for fields with these titles. */
export function createTitledFields(
  titles: Readonly<Record<string, string>>,
  more: Readonly<Record<string, object>> = {},
): object {
  return Object.fromEntries(
    Object.entries(titles).map(([name, title]) => [name, { 'ui:title': title, ...more[name] }]),
  );
}

export function createObjectSchema(properties: object, required: readonly string[] = []): object {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

export const text = { type: 'string', maxLength: 60 } as const;
