import { types } from 'mobx-state-tree';
import type { CallFailure } from '../engine/core/call.ts';

const CallStatus = types.model('CallStatus', {
  state: types.enumeration('CallState', ['pending', 'success', 'error']),
  failure: types.maybeNull(types.frozen<CallFailure>()),
});

/** How each call stands: pending, success or error with what the server said, by the name of the call. */
export const CallLog = types.model('CallLog', { calls: types.map(CallStatus) }).actions((self) => ({
  pending(call: string): void {
    self.calls.set(call, { state: 'pending', failure: null });
  },
  success(call: string): void {
    self.calls.set(call, { state: 'success', failure: null });
  },
  error(call: string, failure: CallFailure): void {
    self.calls.set(call, { state: 'error', failure });
  },
}));
