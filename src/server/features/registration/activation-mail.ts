import { after } from '../../platform/base/clock.ts';
import { serverPages } from '../../../contract/pages.ts';
import type { MailCause } from '../../trust/abuse/mail-allowance.ts';
import type { Config } from '../../platform/config/config.ts';
import { issueToken } from '../../trust/credentials/link-tokens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { mails } from './mails/mails.ts';

/** Whom an activation mail goes to. */
export interface Addressee {
  /** Null: nobody's, for a mail that is taken back. */
  readonly id: string | null;
  readonly name: string;
  readonly email: string;
}

/** Issues an activation link and mails it. */
export async function sendActivationMail(
  { tx, now, mail, link, when }: Command,
  { activationLifeH }: Config,
  { id, name, email }: Addressee,
  cause: MailCause = 'anyone',
): Promise<void> {
  const lifeS = activationLifeH * 60 * 60;
  const token = await issueToken(tx, { purpose: 'activation', citizenId: id, subject: email, now, lifeS });
  await mail({ email, citizenId: id, cause }, mails.activation, {
    name,
    link: link(serverPages.activateAccount, { uuid: token }),
    expires: when(after(now, lifeS)),
  });
}
