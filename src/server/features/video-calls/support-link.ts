import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { findCall, type VideoCall } from './calls.ts';

export type SupportCall = VideoCall & { readonly kind: 'support' };

/** Returns the support call of a mailed link, or the caller's own by its id. An invalid or expired link and another call get the same error. */
export async function openSupportCall(
  db: Store['db'] | Tx,
  id: string,
  { caller, now }: { caller: Caller | null; now: Date },
): Promise<SupportCall> {
  const token = await findLiveToken(db, 'support-call', id, now);
  const call = await findCall(db, 'support', token?.subject ?? id);
  if (call === null || (token === null && (caller === null || call.citizenId !== caller.citizenId))) throw deadLink();
  return call;
}

/** Error for a link that is invalid or has expired. */
export function deadLink(): OperationError {
  return new OperationError(404, 'vinculo_invalido', { invalidToken: true });
}
