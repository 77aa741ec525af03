import type { Caller } from '../../platform/base/operation-request.ts';
import { dropEmailChange, takeEmailChange } from '../../trust/credentials/email-changes.ts';
import { voidTokens, type TokenOwner } from '../../trust/credentials/link-tokens.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { sessionOfLast } from '../../trust/notices/credential-changes.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';
import { mails } from './mails/mails.ts';

/** A confirmation that has just come in. */
interface Confirmed {
  /** What confirmed the change: whose it is, and the new address. */
  readonly by: TokenOwner;
  /** Whose session goes on when it is the same citizen's. */
  readonly caller: Pick<Caller, 'citizenId' | 'sessionId'> | null;
}

/**
 * Gives a citizen the address that was confirmed just now, and answers the record with it; null when another change has taken its
 * place, or the account is blocked. Every other session and every link of the old address ends; both addresses are told, the old one
 * with its way to disavow. Codes by e-mail as a second factor go to the new address from then on.
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
  // The link proves the mailbox as that of an activation does: who could only be helped in person has an account from now on.
  const proven = { email, email_verified_at: now, active_at: before.active_at ?? now };
  await tx.updateTable('citizens').set(proven).where('id', '=', before.id).execute();
  await dropEmailChange(tx, before.id, now);
  for (const purpose of ['activation', 'reset'] as const) await voidTokens(tx, purpose, before.id, now);
  await endOthers(tx, before.id, now, sessionId);
  await audit('change-email', before.id);
  // without a link: a link that disavows is for the address before
  const to = { email, citizenId: before.id, cause: 'trusted' } as const;
  await mail(to, mails['email-confirmed'], { name: before.first_name, when: when(now) });
  return { ...before, ...proven };
}
