/** Failed operation, as a value. It is the `error` variable of flows. */
export interface OperationFailure {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly field?: string;
  readonly errors: Readonly<Record<string, string>>;
  /** Address that the browser must open instead. */
  readonly next?: string;
  /** Confirmation that the server requires for the request. */
  readonly confirmation?: unknown;
  /** The server has newer rules, incompatible with the submitted form. */
  readonly outdated: boolean;
}

export type OperationResult<Result = unknown> =
  { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly failure: OperationFailure };

export interface OperationInput {
  readonly params?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Version of the rules that the form was drawn with. */
  readonly version?: string;
  /** Proof that the user confirmed this request, if the server requires one. */
  readonly confirmation?: string;
}
