import type { Values } from '../../../src/engine/core/json.ts';

/**
 * Input for the control with this label: text, the text of an option, or a file. Without a value, the control is pressed or ticked. A label can be
 * prefixed by its groups: "Domicilio > Calle".
 */
export type TypedInput = readonly [label: string, value?: string | File];

/** One attempt to submit the form: the input, and the expected result. */
export interface SubmitAttempt {
  readonly typed?: readonly TypedInput[];
  /** Placeholders of empty controls, by label. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Visible texts outside the fields. */
  readonly texts?: readonly string[];
  /** Labels of the fields that are then visible, in order. */
  readonly drawn?: readonly string[];
  /** Labels of the fields that take half of a line. */
  readonly beside?: readonly string[];
  /** Visible error messages by field, if the form cannot be submitted. */
  readonly errors?: Readonly<Record<string, string>>;
  /** Submitted values. */
  readonly sent?: Values;
  /** Error messages of the server for the same input, by field. */
  readonly refusal?: Readonly<Record<string, string>>;
}

/** The files of one screen that the sample defines. */
export interface SampleForm {
  readonly schema: object;
  /** Content of ui.json except the title and the button. */
  readonly ui: object;
  /** Prefill of the form's state in the flow. */
  readonly prefill?: Values;
  /** Definitions in schemas/_shared/person.json. */
  readonly shared?: object;
}

/** A problem reported by the compiler: file, pointer, and patterns of its message and its remedy. */
export type CompilerRefusal = readonly [file: 'schema' | 'ui', pointer: string, message: RegExp, hint: RegExp];

/** A sample that corresponds to one in rjsf's playground, under the same name. */
export interface Sample {
  readonly name: string;
  readonly note: string;
  /** The form as in the playground, if the compiler rejects it, with all expected problems. */
  readonly refused?: Partial<SampleForm> & { readonly because: readonly CompilerRefusal[] };
  /** The rendered form: that of the playground, or its replacement. */
  readonly form: SampleForm;
  readonly attempts: readonly SubmitAttempt[];
}

/** Entries of ui.json for fields with these titles. */
export function createTitledFields(
  titles: Readonly<Record<string, string>>,
  more: Readonly<Record<string, object>> = {},
): object {
  return Object.fromEntries(
    Object.entries(titles).map(([name, title]) => [name, { 'ui:title': title, ...more[name] }]),
  );
}

/** An object schema with these fields. */
export function createObjectSchema(properties: object, required: readonly string[] = []): object {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

export const text = { type: 'string', maxLength: 60 } as const;
