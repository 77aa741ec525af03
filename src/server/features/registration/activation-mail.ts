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
  /** When the registration ends; `null` if the account is active. */
  readonly endsAt: Date | null;
}

/** How many lives of a link a registration that nobody activates lasts, however often the mail is sent again: until then it holds the document. */
export const linkLives = 3;

/** When a registration made at that time ends unless it is activated. */
export function registrationEnd(createdAt: Date, { activationLifeH }: Pick<Config, 'activationLifeH'>): Date {
  return after(createdAt, linkLives * activationLifeH * 60 * 60);
}

/** Issues an activation link and mails it. */
export async function sendActivationMail(
  { tx, now, mail, link, when }: Command,
  { activationLifeH }: Config,
  { id, name, email, endsAt }: Addressee,
  cause: MailCause = 'anyone',
): Promise<void> {
  const leftS = endsAt === null ? Infinity : (endsAt.getTime() - now.getTime()) / 1000;
  const lifeS = Math.min(activationLifeH * 60 * 60, leftS);
  const token = await issueToken(tx, { purpose: 'activation', citizenId: id, subject: email, now, lifeS });
  await mail({ email, citizenId: id, cause }, mails.activation, {
    name,
    link: link(serverPages.activateAccount, { uuid: token }),
    expires: when(after(now, lifeS)),
  });
}
