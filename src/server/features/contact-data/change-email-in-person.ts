import { after } from '../../platform/base/clock.ts';
import { periods } from '../../platform/base/periods.ts';
import type { Config } from '../../platform/config/config.ts';
import { storeEmailChange } from '../../trust/credentials/email-changes.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { sendEmailChangeMail } from './email-change-mail.ts';

/** How long the mailbox before can object to a change that an agent began. */
const objectionS = periods.objectionH * 60 * 60;

/**
 * Begins a change of address for somebody whom an agent saw in person. The address before, where it was proven, hears of it with a link that takes
 * the change back; the link to the new one works once the time to object is over.
 */
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
