import { dropEmailChange } from '../../trust/credentials/email-changes.ts';
import { voidTokens } from '../../trust/credentials/link-tokens.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';

/**
 * Sets a new password (`isReset`: by a mailed link). Ends other sessions and running sign-ins, voids reset links, drops a pending change of address
 * and notifies the citizen. Second factors stay.
 */
export async function changePassword(
  { tx, now, notify }: Command,
  {
    citizen,
    passwordHash,
    keep,
    isReset = false,
  }: { citizen: Citizen; passwordHash: string; keep: string | null; isReset?: boolean },
): Promise<void> {
  const changed = { password_hash: passwordHash, changed_at: now, reset_at: isReset ? now : null };
  await tx
    .insertInto('credentials')
    .values({ citizen_id: citizen.id, ...changed })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(changed))
    .execute();
  await endOthers(tx, citizen.id, now, keep);
  await voidTokens(tx, 'reset', citizen.id, now);
  await dropEmailChange(tx, citizen.id, now);
  await notify('password-changed', citizen, { sessionId: keep });
}
