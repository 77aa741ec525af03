import type { Config } from '../../platform/config/config.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { issuePasswordResetLink } from '../password/index.ts';
import { sendActivationMail } from '../registration/activation-mail.ts';
import { hasDeskPermission } from './agent-mailbox.ts';
import { scheduleAccountClosure } from './close-account.ts';

export type AssistedAction = 'send-activation' | 'send-reset' | 'close';

export function findAssistedActionObstacle(act: AssistedAction, citizen: Citizen, { flags }: Pick<Config, 'flags'>) {
  if (act === 'close') return hasDeskPermission(citizen.permissions) ? 'agent' : null;
  if (citizen.blocked_at !== null) return 'inactive';
  if (act === 'send-activation') return citizen.email === null ? 'no-address' : null;
  if (citizen.email === null || citizen.email_verified_at === null) return 'no-address';
  return citizen.active_at === null || !flags.contrasena ? 'inactive' : null;
}

export function isAssistedActionNeeded(
  act: AssistedAction,
  { email_verified_at: verifiedAt, closing_at: closingAt }: Citizen,
): boolean {
  return act === 'close' ? closingAt === null : act === 'send-reset' || verifiedAt === null;
}

export async function performAssistedAction(
  command: DatabaseCommand,
  config: Config,
  citizen: Citizen,
  act: AssistedAction,
): Promise<boolean> {
  if (!isAssistedActionNeeded(act, citizen)) return false;
  const { id, first_name: name } = citizen;
  const email = citizen.email ?? '';
  if (act === 'close') await scheduleAccountClosure(command, citizen, null);
  else if (act === 'send-activation')
    await sendActivationMail(command, config, { id, name, email, endsAt: null }, 'trusted');
  else {
    const issued = await issuePasswordResetLink(command, { citizen, email });
    await command.mail({ email, citizenId: id, cause: 'trusted' }, 'reset-password', { name, ...issued });
  }
  return true;
}
