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

/** Facts about a refusal that the log holds beside its code. None of them is personal data. */
export interface RefusalFacts {
  /** Code of the answer, for errors that have none. */
  readonly code?: string | undefined;
  /** Step of a sign-in, identity provider, or endpoint that refused. */
  readonly step?: string;
  /** Id of the application that the operation was for. */
  readonly client?: string | undefined;
  /** Id of the account, which is its pseudonym. */
  readonly account?: string | null;
  /** What the caller is not told. */
  readonly reason?: string | undefined;
}

const noted = new WeakMap<object, RefusalFacts>();

/** Adds facts to an error, or to the request that it refused, and returns it. Facts that were added before win. */
export function explain<Subject extends object>(subject: Subject, facts: RefusalFacts): Subject {
  noted.set(subject, { ...facts, ...noted.get(subject) });
  return subject;
}

/** Adds the facts of an error, or of an answer that stands for one, to another object. */
export function passFacts<Subject extends object>(from: unknown, to: Subject): Subject {
  const facts = findRefusalFacts(from);
  return facts === undefined ? to : explain(to, facts);
}

/** Facts of an error or of a request. Returns `undefined` if there are none. */
export function findRefusalFacts(subject: unknown): RefusalFacts | undefined {
  return typeof subject === 'object' && subject !== null ? noted.get(subject) : undefined;
}
