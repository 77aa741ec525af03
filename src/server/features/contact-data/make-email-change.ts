import type { Caller } from '../../platform/base/operation-request.ts';
import { dropEmailChange, takeEmailChange } from '../../trust/credentials/email-changes.ts';
import { voidTokens, type TokenOwner } from '../../trust/credentials/link-tokens.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { sessionOfLast } from '../../trust/notices/credential-changes.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';

interface Confirmed {
  /** Owner of the confirmed token, and the new address. */
  readonly by: TokenOwner;
  /** The session of the caller stays if it belongs to the same citizen. */
  readonly caller: Pick<Caller, 'citizenId' | 'sessionId'> | null;
}

/**
 * Sets the confirmed address. Returns `null` if another change has replaced this one, or the account is blocked. Ends other sessions and voids all
 * links of the old address. Notifies both addresses, the old one with a link to disavow. Mailed codes are sent to the new one from then on.
 */
export async function makeEmailChange(
  { tx, now, audit, notify, mail, when }: Command,
  { by: { citizenId, subject: email }, caller }: Confirmed,
): Promise<Citizen | null> {
  const before = citizenId === null ? null : await findCitizen(tx, citizenId);
  if (before === null || before.blocked_at !== null || !(await takeEmailChange(tx, before.id, email, now))) return null;
  const sessionId = caller?.citizenId === before.id ? caller.sessionId : null;
  await notify('email-changed', before, {
    sessionId: sessionId ?? (await sessionOfLast(tx, before.id, 'email-change-requested')),
  });
  // Like an activation link, this one proves the mailbox. It also activates an account whose holder could only be helped in person.
  const proven = { email, email_verified_at: now, active_at: before.active_at ?? now };
  await tx.updateTable('citizens').set(proven).where('id', '=', before.id).execute();
  await dropEmailChange(tx, before.id, now);
  for (const purpose of ['activation', 'reset'] as const) await voidTokens(tx, purpose, before.id, now);
  await endOthers(tx, before.id, now, sessionId);
  await audit('change-email', before.id);
  // No link here: the link to disavow is sent to the previous address.
  const to = { email, citizenId: before.id, cause: 'trusted' } as const;
  await mail(to, 'email-confirmed', { name: before.first_name, when: when(now) });
  return { ...before, ...proven };
}
