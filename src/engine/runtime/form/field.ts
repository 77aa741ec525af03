/** Result of a widget's task before a submit. `refused` stops the submit and is its message, unless it is `null`. */
export type Preparation = { readonly refused: string | null } | undefined;

/** A field of the open form, as a widget sees it. Its properties are MobX observables: read them inside `observer()`. */
export interface Field {
  /** Name of the property in schema.json. */
  readonly name: string;
  /** Undefined when empty. */
  readonly value: unknown;
  /** Raw input, before cleaning. The control shows it until the field is left or the form is sent. */
  readonly typed: unknown;
  readonly error: string | null;
  /** Whether the value is refused, even if no message is visible yet. False while an optional field is empty. */
  readonly invalid: boolean;
  /** Cleans and stores an input. Empty text counts as no value. Hides the message until the field is left. */
  set(value: unknown): void;
  /** Handles the loss of focus: shows the message, if there is one. */
  blur(): void;
  /** Returns the value that `set` would store. */
  clean(input: unknown): unknown;
  /**
   * Registers a task to run before each submit of a valid form, e.g. a passkey prompt. Values that it stores are sent too. Tasks run one at a time.
   * Returns a function that unregisters it.
   */
  beforeSubmit(prepare: () => Promise<Preparation>): () => void;
}

/** The open form, as a widget sees it. */
export interface FormHandle {
  field(name: string): Field | undefined;
  /** Observable: number of submits that the server refused. A widget with a single-use answer (captcha) renews it when this grows. */
  readonly failures: number;
  /** Observable: whether an operation of this form is pending. */
  readonly busy: boolean;
  /** Sends the form as its button does. */
  send(): void;
  /** In a list of single values: appends as many items as the list may contain. Returns the number of omitted ones. */
  readonly append?: (values: readonly unknown[]) => number;
}
