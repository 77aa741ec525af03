import type { Caller } from '../../platform/base/operation-request.ts';
import {
  dropEmailChange,
  takeEmailChange,
  storeEmailChange,
  pendingEmail,
} from '../../trust/credentials/email-changes.ts';
import { voidTokens, type TokenOwner, issueToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { sessionOfLast } from '../../trust/notices/credential-changes.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';
import { after } from '../../platform/base/clock.ts';
import { redirectOnlyPages } from '../../../contract/pages.ts';
import type { Config } from '../../platform/config/config.ts';
import { periods } from '../../platform/base/periods.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';

/** Time in which the previous mailbox can object to a change that an agent started, in seconds. */
const objectionS = periods.objectionH * 60 * 60;

/** Starts a change of address in person. A verified previous address gets time to object before the new one can be confirmed. */
export async function changeEmailInPerson(
  command: Command,
  config: Config,
  { citizen, email }: { citizen: Citizen; email: string },
): Promise<void> {
  const { tx, now, notify, when } = command;
  const heard = citizen.email !== null && citizen.email_verified_at !== null;
  const confirmFrom = heard ? after(now, objectionS) : null;
  await storeEmailChange(tx, { citizenId: citizen.id, email, confirmFrom }, now);
  await sendEmailChangeMail(command, config, { citizen, email, confirmFrom });
  if (confirmFrom !== null)
    await notify('email-change-by-agent', citizen, { sessionId: null, values: { from: when(confirmFrom) } });
}

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

/** Mails the confirmation link. Its address is only for display: the token decides. Until `confirmFrom`, the previous address can object. */
export async function sendEmailChangeMail(
  { tx, now, mail, link, when }: Command,
  { activationLifeH }: Config,
  { citizen, email, confirmFrom = null }: { citizen: Citizen; email: string; confirmFrom?: Date | null },
): Promise<void> {
  const lifeS = activationLifeH * 60 * 60 + (confirmFrom === null ? 0 : (confirmFrom.getTime() - now.getTime()) / 1000);
  const uuid = await issueToken(tx, { purpose: 'email-change', citizenId: citizen.id, subject: email, now, lifeS });
  const shown = Buffer.from(email).toString('base64url');
  const values = {
    name: citizen.first_name,
    link: link(redirectOnlyPages.approveEmail, { uuid, email: shown }),
    expires: when(after(now, lifeS)),
  };
  const to = { email, citizenId: citizen.id, cause: 'anyone' } as const;
  if (confirmFrom === null) await mail(to, 'email-change', values);
  else await mail(to, 'email-change-waits', { ...values, from: when(confirmFrom) });
}

/** Returns the address to validate: that of a requested change, or else the citizen's own. Returns `null` if there is none. */
export async function emailToValidate(
  db: Store['db'] | Tx,
  citizen: Pick<Citizen, 'id' | 'email' | 'email_verified_at'>,
): Promise<string | null> {
  return addressToValidate(citizen, await pendingEmail(db, citizen.id));
}

/** Like `emailToValidate`, for a known address of a requested change (`null` if none was requested). */
export function addressToValidate(
  { email, email_verified_at: verifiedAt }: Pick<Citizen, 'email' | 'email_verified_at'>,
  requested: string | null,
): string | null {
  return requested ?? (verifiedAt === null ? email : null);
}
