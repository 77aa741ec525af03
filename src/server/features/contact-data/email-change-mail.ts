import { after } from '../../platform/base/clock.ts';
import { serverPages } from '../../../contract/pages.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';

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
    link: link(serverPages.approveEmail, { uuid, email: shown }),
    expires: when(after(now, lifeS)),
  };
  const to = { email, citizenId: citizen.id, cause: 'anyone' } as const;
  if (confirmFrom === null) await mail(to, 'email-change', values);
  else await mail(to, 'email-change-waits', { ...values, from: when(confirmFrom) });
}
