import type { Config } from '../../platform/config/config.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { issueResetLink } from '../password/request-password-reset.ts';
import { sendActivationMail } from '../registration/activation-mail.ts';
import { isAgent } from './agent-mailbox.ts';
import { beginClosure } from './close-account.ts';

/** Acts of the help desk for citizens who cannot do them themselves. */
export type HelpAct = 'send-activation' | 'send-reset' | 'close';

/** Returns why a help act cannot be done, or `null` if it can. */
export function obstacleToHelp(
  act: HelpAct,
  citizen: Citizen,
  { flags }: Pick<Config, 'flags'>,
): 'inactive' | 'no-address' | 'agent' | null {
  if (act === 'close') return isAgent(citizen.permissions) ? 'agent' : null;
  if (citizen.blocked_at !== null) return 'inactive';
  if (act === 'send-activation') return citizen.email === null ? 'no-address' : null;
  if (citizen.email === null || citizen.email_verified_at === null) return 'no-address';
  return citizen.active_at === null || !flags.contrasena ? 'inactive' : null;
}

/** Whether a help act would have any effect. */
export function isHelpDue(act: HelpAct, { email_verified_at: verifiedAt, closing_at: closingAt }: Citizen): boolean {
  return act === 'close' ? closingAt === null : act === 'send-reset' || verifiedAt === null;
}

/** Returns whether anything changed. */
export async function help(command: Command, config: Config, citizen: Citizen, act: HelpAct): Promise<boolean> {
  if (!isHelpDue(act, citizen)) return false;
  const { id, first_name: name, email } = citizen;
  if (act === 'close') await beginClosure(command, citizen, null);
  else if (act === 'send-activation')
    await sendActivationMail(command, config, { id, name, email: email ?? '', endsAt: null }, 'trusted');
  else {
    const issued = await issueResetLink(command, { citizen, email: email ?? '' });
    const to = { email: email ?? '', citizenId: id, cause: 'trusted' } as const;
    await command.mail(to, 'reset-password', { name, ...issued });
  }
  return true;
}
