import type { OperationFailure, OperationResult } from '../../engine/core/operation.ts';

/** A request that waits for its confirmation. */
export interface Unconfirmed {
  readonly failure: OperationFailure;
  readonly repeat: (confirmation?: string) => Promise<OperationResult>;
  /** Ends the wait with the result of the request. */
  readonly onEnd: (result: OperationResult) => void;
  readonly onCancel: () => void;
}
