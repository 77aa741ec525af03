import type { Values } from '../../../src/engine/core/json.ts';

/** What is typed into a control, by its label: a text, the text of a choice, a file; alone, what is pressed or ticked. Groups stand before it: "Domicilio > Calle". */
export type Typed = readonly [label: string, value?: string | File];

/** One try to send a form. */
export interface Try {
  readonly typed?: readonly Typed[];
  /** What stands in empty controls, by their labels. */
  readonly placeholders?: Readonly<Record<string, string>>;
  /** What can be read beside the fields. */
  readonly texts?: readonly string[];
  /** The fields that are drawn then, in their order. */
  readonly drawn?: readonly string[];
  /** Those that take half of a line. */
  readonly beside?: readonly string[];
  /** The messages on screen by field, of a form that is not sent. */
  readonly errors?: Readonly<Record<string, string>>;
  /** What is sent. */
  readonly sent?: Values;
  /** What the server answers to that, by field. */
  readonly refusal?: Readonly<Record<string, string>>;
}

/** The files of one screen, as far as a sample says something of them. */
export interface SampleForm {
  readonly schema: object;
  /** Beside title and button. */
  readonly ui: object;
  /** Of the state in the flow. */
  readonly prefill?: Values;
  /** Definitions of schemas/_shared/person.json. */
  readonly shared?: object;
}

/** Where the compiler refuses something, the essence of what it says, and of what it says to write instead. */
export type Refusal = readonly [file: 'schema' | 'ui', pointer: string, message: RegExp, hint: RegExp];

/** A sample of the kind of one in rjsf's playground, whose name it bears. */
export interface Sample {
  readonly name: string;
  /** What the table of README.md says of it. */
  readonly note: string;
  /** As the playground would write it, where the compiler refuses that, with each thing that it refuses. */
  readonly refused?: Partial<SampleForm> & { readonly because: readonly Refusal[] };
  /** What is drawn: the sample itself, or what to write instead. */
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
