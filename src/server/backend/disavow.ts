import { endOthers } from '../broker/end-others.ts';
import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import { findCitizen, type Citizen } from '../store/citizens.ts';
import { dropEmailChange } from '../store/email-changes.ts';
import { consumeToken, voidTokens } from '../store/link-tokens.ts';
import type { Tx } from '../store/open-store.ts';
import { removePasskey } from '../store/passkeys.ts';
import { activeFactors, isActive } from '../store/second-factors.ts';
import { dropRecoveryCodes } from '../store/recovery-codes.ts';
import { maskEmail } from './mask-email.ts';
import { mailResetLink } from './request-password-reset.ts';
import { readUndo, type StoredUndo } from './undo.ts';

/**
 * 'No fui yo': by the link of a notice, once. Every session, running sign-in and password ends; what the notice told of is undone; the
 * account goes back to the address that was told, which gets a link for a new password. It signs nobody in.
 */
export function disavow(parts: Parts): Handler<'disavow'> {
  const { store, clock, throttle } = parts;
  return async ({ body, address, requestId, language }) => {
    await throttle.admit('activate', { address }, clock.now());
    const email = await store.transaction(async (tx) => {
      const now = clock.now();
      const used = await consumeToken(tx, 'disavow', body.uuid, now);
      const undo = used === null ? null : readUndo(used.subject);
      const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
      if (undo === null || citizen === null) throw new CallError(400, 'vinculo_invalido', { invalidToken: true });
      await endOthers(tx, citizen.id, now, null);
      await undoChange(tx, citizen, undo, now);
      for (const purpose of ['reset', 'disavow'] as const) await voidTokens(tx, purpose, citizen.id, now);
      await tx.deleteFrom('credentials').where('citizen_id', '=', citizen.id).execute();
      await mailResetLink(tx, parts, { citizen, email: undo.email, language });
      await appendAudit(tx, { at: now, action: 'disavowed', citizenId: citizen.id, address, requestId });
      return undo.email;
    });
    return { body: { email: maskEmail(email) } };
  };
}

async function undoChange(tx: Tx, { id }: Citizen, { email, factor, passkey, closure }: StoredUndo, now: Date): Promise<void> {
  if (closure) await tx.updateTable('citizens').set({ closing_at: null }).where('id', '=', id).execute();
  await tx.updateTable('citizens').set({ email, email_verified_at: now }).where('id', '=', id).where('email', '!=', email).execute();
  await dropEmailChange(tx, id, now);
  if (factor !== undefined) await tx.deleteFrom('second_factors').where('citizen_id', '=', id).where('id', '=', factor).execute();
  if (passkey !== undefined) await removePasskey(tx, id, passkey);
  if (!isActive(await activeFactors(tx, id))) await dropRecoveryCodes(tx, id);
}
