/** Error that prevents the start and that the operator can fix. The message states the remedy. */
export class StartError extends Error {}

/** Error for a backup that cannot be restored. Nothing has been written. The message states the remedy. */
export class RestoreError extends Error {}

/** Converts the error of opening a port to a `StartError` that names the setting. Returns any other error unchanged. */
export function convertListenError(
  cause: unknown,
  { port, host, setting }: { readonly port: number | null; readonly host: string; readonly setting: string },
): unknown {
  if (!(cause instanceof Error && 'syscall' in cause)) return cause;
  const taken = 'code' in cause && cause.code === 'EADDRINUSE';
  const why = taken
    ? `is in use: stop the other process, or set ${setting} to a free one.`
    : `(${setting}) cannot be opened: ${cause.message}.`;
  return new StartError(`Port ${port} of ${host} ${why}`, { cause });
}

/** Error for an invalid body. `errors` has translated messages by field. The key `''` is for the form itself. */
export class InvalidBodyError extends Error {
  readonly errors: Readonly<Record<string, string>>;

  constructor(errors: Readonly<Record<string, string>>) {
    super('refused body');
    this.errors = errors;
  }
}

/**
 * The only error that handlers throw. `code` is a key of texts.json and is sent to the client. The HTTP layer serializes the error as `{ field,
 * error, errors, code }` in the citizen's language.
 */
export class OperationError extends Error {
  readonly status: number;
  readonly code: string;
  readonly field: string | undefined;
  /** Values of the placeholders in the text of `code`. */
  readonly values: Readonly<Record<string, string | number>> = {};
  /** Whether `error` in the response is the code instead of a text (specification, section 8.3). */
  readonly sendsCodeAsMessage: boolean = false;
  /** Seconds after which the client may retry. */
  readonly retryAfter: number | undefined;
  /** Whether the cause is a link token that is unknown, used or expired. */
  readonly invalidToken: boolean = false;
  /** Portal page that the browser opens instead of showing the error. */
  readonly next: string | undefined;
  /** Same value as `next`, under the property name of the broker's responses (specification, section 7.1: consent). */
  readonly location: string | undefined;
  /** WebAuthn options of the assertion that the operation requires. */
  readonly publicKey: Readonly<Record<string, unknown>> | undefined;

  constructor(
    status: number,
    code: string,
    { cause, ...facts }: Partial<Omit<OperationError, keyof Error | 'status' | 'code'>> & { cause?: unknown } = {},
  ) {
    super(code, { cause });
    this.status = status;
    this.code = code;
    Object.assign(this, facts);
  }
}

/** Facts that are logged with the error code of a request. They must not contain personal data. */
export interface RefusalLogFacts {
  readonly code?: string | undefined;
  /** Name of the sign-in step, identity provider or endpoint that rejected the request. */
  readonly step?: string | undefined;
  readonly client?: string | undefined;
  readonly account?: string | null | undefined;
  /** Reason that the response does not reveal. */
  readonly reason?: string | undefined;
}

const factsByObject = new WeakMap<object, RefusalLogFacts>();

/** Attaches facts for the log to an error or to a rejected request, and returns that object. Facts attached earlier take precedence. */
export function addRefusalLogFacts<Subject extends object>(subject: Subject, facts: RefusalLogFacts): Subject {
  factsByObject.set(subject, { ...facts, ...factsByObject.get(subject) });
  return subject;
}

export function copyRefusalLogFacts<Subject extends object>(from: unknown, to: Subject): Subject {
  const facts = findRefusalLogFacts(from);
  return facts === undefined ? to : addRefusalLogFacts(to, facts);
}

export function findRefusalLogFacts(subject: unknown): RefusalLogFacts | undefined {
  return typeof subject === 'object' && subject !== null ? factsByObject.get(subject) : undefined;
}

/** Reads the file of a setting. Throws a `StartError` with the reason if `read` fails. `what` names the file in the message. */
export async function readSettingFile<Read>(what: string, read: () => Promise<Read>): Promise<Read> {
  try {
    return await read();
  } catch (cause) {
    throw new StartError(`${what} cannot be used: ${describeError(cause)}`, { cause });
  }
}

export function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
