/** Fills the `{placeholders}` of the text. */
type Values = Readonly<Record<string, string | number>>;

/**
 * The one error of handlers. `code` is a key of texts.json and travels on the wire; the HTTP layer writes it as
 * `{ field, error, errors, code }` in the citizen's language.
 */
export class OperationError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  readonly values: Values;
  /** Wire errors whose `error` is the code itself (section 8.3: account_blocked, account_no_activated). */
  readonly bare: boolean;
  /** Seconds until the same operation makes sense again. */
  readonly retryAfter: number | undefined;
  /** The link behind the operation is unknown, used or expired. */
  readonly invalidToken: boolean;
  /** Where the browser goes instead: a path of the portal. */
  readonly next: string | undefined;
  /** The same in the word of the broker's answers (section 7.1: consent). */
  readonly location: string | undefined;
  /** Options of the WebAuthn assertion that the operation waits for. */
  readonly publicKey: Readonly<Record<string, unknown>> | undefined;

  constructor(
    status: number,
    code: string,
    options: {
      field?: string;
      values?: Values;
      bare?: boolean;
      retryAfter?: number;
      invalidToken?: boolean;
      next?: string;
      location?: string;
      publicKey?: Readonly<Record<string, unknown>>;
      cause?: unknown;
    } = {},
  ) {
    super(code, { cause: options.cause });
    this.status = status;
    this.code = code;
    this.field = options.field;
    this.values = options.values ?? {};
    this.bare = options.bare ?? false;
    this.retryAfter = options.retryAfter;
    this.invalidToken = options.invalidToken ?? false;
    this.next = options.next;
    this.location = options.location;
    this.publicKey = options.publicKey;
  }
}
