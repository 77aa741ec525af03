/** An operation that failed, as a value: what the flows' `error` variable holds. */
export interface OperationFailure {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  /** A sentence for the citizen. */
  readonly error: string;
  readonly code?: string;
  readonly field?: string;
  readonly errors: Readonly<Record<string, string>>;
  /** Where the browser must go instead. */
  readonly next?: string;
  /** What the server wants the request to be confirmed with. */
  readonly confirmation?: unknown;
  /** The server has newer, incompatible rules for the form that was sent. */
  readonly outdated: boolean;
}

/** How an operation ended. */
export type OperationResult<Result = unknown> =
  { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly failure: OperationFailure };

/** What an operation is made with. */
export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Version of the screen's rules that the form was drawn from. */
  readonly version?: string;
  /** Proof that the user confirmed this request, where the server asks for one. */
  readonly confirmation?: string;
}
