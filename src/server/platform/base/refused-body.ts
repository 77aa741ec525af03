/** A body that its validator refused: messages by field, already in the reader's language, `''` for no field. */
export class RefusedBody extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super('refused body');
    this.errors = errors;
  }
}
