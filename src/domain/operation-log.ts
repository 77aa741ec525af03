import { types } from 'mobx-state-tree';
import type { OperationFailure } from '../engine/core/operation.ts';

const OperationStatus = types.model('OperationStatus', {
  state: types.enumeration('CallState', ['pending', 'success', 'error']),
  failure: types.maybeNull(types.frozen<OperationFailure>()),
});

/** Status of the last call of each operation, by operation name. */
export const OperationLog = types.model('OperationLog', { operations: types.map(OperationStatus) }).actions((self) => ({
  pending(operation: string): void {
    self.operations.set(operation, { state: 'pending', failure: null });
  },
  success(operation: string): void {
    self.operations.set(operation, { state: 'success', failure: null });
  },
  error(operation: string, failure: OperationFailure): void {
    self.operations.set(operation, { state: 'error', failure });
  },
}));
