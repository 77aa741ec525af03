import type { Values } from '../../../src/engine/core/json.ts';

/**
 * Input by the label of its control: text, the text of an option, or a file. Without a value, the control is pressed or ticked. Groups come first:
 * "Domicilio > Calle".
 */
export type TypedInput = readonly [label: string, value?: string | File];

/** One try to send a form. */
export interface Try {
  readonly typed?: readonly TypedInput[];
  /** Placeholders of empty controls, by label. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** Visible texts besides the fields. */
  readonly texts?: readonly string[];
  /** The fields that are drawn then, in their order. */
  readonly drawn?: readonly string[];
  /** Those that take half of a line. */
  readonly beside?: readonly string[];
  /** The messages on screen by field, of a form that is not sent. */
  readonly errors?: Readonly<Record<string, string>>;
  /** What is sent. */
  readonly sent?: Values;
  /** The server's errors for this input, by field. */
  readonly refusal?: Readonly<Record<string, string>>;
}

/** The files of one screen, as far as the sample defines them. */
export interface SampleForm {
  readonly schema: object;
  /** Beside title and button. */
  readonly ui: object;
  /** Of the state in the flow. */
  readonly prefill?: Values;
  /** Definitions of schemas/_shared/person.json. */
  readonly shared?: object;
}

/** A problem of the compiler: file, pointer, and patterns of its message and its remedy. */
export type Refusal = readonly [file: 'schema' | 'ui', pointer: string, message: RegExp, hint: RegExp];

/** A sample of the kind and name of one in rjsf's playground. */
export interface Sample {
  readonly name: string;
  /** Note in the table of README.md. */
  readonly note: string;
  /** As the playground would write it, where the compiler refuses that, with each thing that it refuses. */
  readonly refused?: Partial<SampleForm> & { readonly because: readonly Refusal[] };
  /** The rendered form: the sample itself, or its replacement. */
  readonly form: SampleForm;
  readonly tries: readonly Try[];
}

/** Fields under these titles, as ui.json has them. */
export function titled(titles: Readonly<Record<string, string>>, more: Readonly<Record<string, object>> = {}): object {
  return Object.fromEntries(
    Object.entries(titles).map(([name, title]) => [name, { 'ui:title': title, ...more[name] }]),
  );
}

/** An object of these fields. */
export function fieldsOf(properties: object, required: readonly string[] = []): object {
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

/** The keywords of a text. */
export const text = { type: 'string', maxLength: 60 } as const;
