import type { OperationFailure, OperationResult } from '../../engine/core/operation.ts';

export interface Unconfirmed {
  readonly failure: OperationFailure;
  readonly repeat: (confirmation?: string) => Promise<OperationResult>;
  readonly onEnd: (result: OperationResult) => void;
  readonly onCancel: () => void;
}
