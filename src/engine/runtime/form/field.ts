/** What a widget says after it has acted before a submit: nothing when all is well; else the form is not sent, and the field says why unless that is null. */
export type Preparation = { readonly refused: string | null } | undefined;

/** One field of the open form. Its properties are MobX observables: read them inside `observer()`. */
export interface Field {
  /** The property's name in schema.json. */
  readonly name: string;
  /** Undefined when empty. */
  readonly value: unknown;
  /** What its control shows: the input as it was typed until the field is left or sent, and then the value. Differs from `value` by its cleaning. */
  readonly typed: unknown;
  /** The message that is on screen, or null. */
  readonly error: string | null;
  /** Whether the rules refuse the value, shown or not. False while an optional field is empty. */
  readonly invalid: boolean;
  /** Stores what was typed, cleaned; empty text counts as no value. Clears the message until the field is left. */
  set(value: unknown): void;
  /** Tells that the field was left: its message, if any, appears. */
  blur(): void;
  /** The value that `set` stores for an input. */
  clean(input: unknown): unknown;
  /**
   * Has something done before each submit that the rules allow, e.g. the browser asked for a passkey; what it stores is sent along. One
   * at a time; answers the way to stop.
   */
  beforeSubmit(prepare: () => Promise<Preparation>): () => void;
}

/** The open form, as far as a widget may see it. */
export interface FormHandle {
  field(name: string): Field | undefined;
  /** How many submits failed at the server (observable); a one-use answer (captcha) is renewed when it grows. */
  readonly failures: number;
  /** Observable: an operation of this form runs. */
  readonly busy: boolean;
  /** Sends the form as its button does. */
  send(): void;
  /** In a list of single values: adds items of these values at its end, as many as it may hold; answers how many did not come in. */
  readonly append?: (values: readonly unknown[]) => number;
}
