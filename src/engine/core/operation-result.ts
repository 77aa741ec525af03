/** Failure of an operation, as a value. Flows read it as the variable `error`. */
export interface OperationFailure {
  /** HTTP status, or 0 if there was no response. */
  readonly status: number;
  readonly error: string;
  readonly code?: string;
  readonly field?: string;
  readonly errors?: Readonly<Record<string, string>>;
  /** URL to which the browser must navigate after this failure. */
  readonly next?: string;
  /** Confirmation that the server requires for the request. */
  readonly confirmation?: unknown;
  /** Whether the server has newer rules that are incompatible with the submitted form. */
  readonly outdated?: boolean;
}

export type OperationResult<Result = unknown> =
  { readonly ok: true; readonly result: Result } | { readonly ok: false; readonly failure: OperationFailure };

export type OperationParams = Readonly<Record<string, string>>;

export interface OperationInput {
  readonly params?: OperationParams;
  readonly body?: unknown;
  /** Version of the rules with which the form was rendered. */
  readonly version?: string;
  /** Confirmation of this request by the user, if the server requires one. */
  readonly confirmation?: string;
}
