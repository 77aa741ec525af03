import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerHour } from '../../platform/base/fixed-periods.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import type { MailCause } from '../../trust/abuse/mail-allowance.ts';
import type { Config } from '../../platform/config/config.ts';
import {
  issueLinkToken,
  findUsedLinkToken,
  consumeLinkToken,
  voidLinkTokens,
} from '../../trust/credentials/link-tokens.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';

export const activateAccount: ResponseBodyHandler<'activateAccount'> = async ({ commands }, { body, origin }) => {
  const estado = await commands.run(origin, async (command) => {
    const used = await consumeLinkToken(command.tx, 'activation', body.uuid, command.now);
    if (used === null) return (await isActivated(command.tx, body.uuid)) ? ('ya_activada' as const) : null;
    if (used.citizenId === null) return null;
    return (await activateCitizen(command, used.citizenId, used.subject)) ? ('activada' as const) : null;
  });
  if (estado === null) throw new OperationError(400, 'vinculo_invalido');
  return { estado };
};

/** Activates an account by its link. The link proves access only to the mailbox `email`, so the account must still have this address. */
async function activateCitizen({ tx, now, audit }: DatabaseCommand, citizenId: string, email: string) {
  const changed = await tx
    .updateTable('citizens')
    .set(({ fn, val, ref }) => ({ active_at: fn.coalesce(ref('active_at'), val(now)), email_verified_at: now }))
    .where('id', '=', citizenId)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return false;
  await voidLinkTokens(tx, 'activation', citizenId, now);
  await audit('activate', citizenId);
  return true;
}

async function isActivated(tx: Tx, secret: string): Promise<boolean> {
  const owner = await findUsedLinkToken(tx, 'activation', secret);
  const citizen = owner?.citizenId ? await findCitizen(tx, owner.citizenId) : null;
  return citizen?.active_at != null;
}

/**
 * Issues a token to resend the activation mail. It is bound to the document instead of an account, so that an unknown document gets a token too, in
 * the same time.
 */
export function issueActivationResendToken({ tx, now }: DatabaseCommand, document: string): Promise<string> {
  return issueLinkToken(tx, { purpose: 'resend', citizenId: null, subject: document, now, lifeS: secondsPerHour });
}

/** Lifetime of a pending registration, as a multiple of the activation link's lifetime. Resending the link does not extend it. */
export const pendingRegistrationLifeFactor = 3;

export function computePendingRegistrationLifeS({ activationLifeH }: Pick<Config, 'activationLifeH'>): number {
  return pendingRegistrationLifeFactor * activationLifeH * secondsPerHour;
}

export function computePendingRegistrationExpiry(createdAt: Date, config: Pick<Config, 'activationLifeH'>): Date {
  return addSeconds(createdAt, computePendingRegistrationLifeS(config));
}

/**
 * Mails the activation link of an account. If `id` is `null`, because there is no account, the caller rolls back the transaction. `endsAt` is the
 * expiry of the registration, and `null` if the account is already active.
 */
export async function sendActivationMail(
  { tx, now, mail, link, when }: DatabaseCommand,
  { activationLifeH }: Config,
  { id, name, email, endsAt }: { id: string | null; name: string; email: string; endsAt: Date | null },
  cause: MailCause = 'anyone',
): Promise<void> {
  const leftS = endsAt === null ? Infinity : (endsAt.getTime() - now.getTime()) / 1000;
  const lifeS = Math.min(activationLifeH * secondsPerHour, leftS);
  const token = await issueLinkToken(tx, { purpose: 'activation', citizenId: id, subject: email, now, lifeS });
  await mail({ email, citizenId: id, cause }, 'activation', {
    name,
    link: link(redirectOnlyPagePaths.activateAccount, { uuid: token }),
    expires: when(addSeconds(now, lifeS)),
  });
}
