import type { Caller } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { findCall, type VideoCall } from './calls.ts';

/** A call of the support. */
export type SupportCall = VideoCall & { readonly kind: 'support' };

/**
 * The call of the support that a link of its mails opens, or that its own citizen names by its id. Throws one and the same error for a link that
 * is none, that is old, and for somebody else's call.
 */
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

/** What a link is told that opens nothing (any more). */
export function deadLink(): OperationError {
  return new OperationError(404, 'vinculo_invalido', { invalidToken: true });
}
