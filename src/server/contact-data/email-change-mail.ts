import { after } from '../base/clock.ts';
import { serverPages } from '../../contract/pages.ts';
import type { Config } from '../config/config.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import type { Citizen } from '../identity/citizens.ts';
import type { Command } from '../notices/commands.ts';

/**
 * Mails the link that confirms a new address to that very address. The address in the link is for the reader's eyes; what the link
 * confirms stands behind its token.
 */
export async function sendEmailChangeMail(
  { tx, now, mail, link, when }: Command,
  { activationLifeH }: Config,
  { citizen, email }: { citizen: Citizen; email: string },
): Promise<void> {
  const lifeS = activationLifeH * 60 * 60;
  const uuid = await issueToken(tx, { purpose: 'email-change', citizenId: citizen.id, subject: email, now, lifeS });
  const shown = Buffer.from(email).toString('base64url');
  await mail({ email, citizenId: citizen.id }, 'email-change', {
    name: citizen.first_name,
    link: link(serverPages.approveEmail, { uuid, email: shown }),
    expires: when(after(now, lifeS)),
  });
}
