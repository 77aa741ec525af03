/** A body that its validator refused. `errors` has translated messages by field, with `''` for the form itself. */
export class RefusedBody extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super('refused body');
    this.errors = errors;
  }
}
