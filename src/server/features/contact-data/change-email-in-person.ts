import { after } from '../../platform/base/clock.ts';
import { periods } from '../../platform/base/periods.ts';
import type { Config } from '../../platform/config/config.ts';
import { storeEmailChange } from '../../trust/credentials/email-changes.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { sendEmailChangeMail } from './email-change-mail.ts';

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
