import { OperationError } from '../../platform/base/errors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { ActiveFactors } from '../../trust/credentials/second-factors.ts';
import { hasIndependentFactor } from '../../trust/identity/session-level.ts';

/**
 * Throws a 403 if the account has an app or a passkey but the session was opened without a factor of that strength, for instance with a mailed code.
 * Somebody who reads the citizen's mail must neither remove such a factor nor add another one (NIST SP 800-63B-4, section 4.1.2).
 */
export async function demandFactor(tx: Tx, sessionId: string, { totp, passkeys }: ActiveFactors): Promise<void> {
  if (totp === null && passkeys.length === 0) return;
  const session = await tx.selectFrom('broker_sessions').select('amr').where('id', '=', sessionId).executeTakeFirst();
  if (!hasIndependentFactor(session?.amr.split(' ') ?? [])) throw new OperationError(403, 'factor_insuficiente');
}
