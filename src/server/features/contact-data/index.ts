import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import type { Tx, DatabaseStore } from '../../platform/database/open-store.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  findEarliestEmailConfirmationTime,
  storePendingEmailChange,
  discardPendingEmailChange,
  consumePendingEmailChange,
  findPendingEmail,
} from '../../trust/credentials/email-changes.ts';
import {
  consumeLinkToken,
  findUsedLinkToken,
  issueLinkToken,
  voidLinkTokens,
  type LinkTokenOwner,
} from '../../trust/credentials/link-tokens.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import { createAccountReadHandler, type ResponseBodyHandler, createAccountCommandHandler } from '../handler-context.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { findSessionOfLastCredentialChange } from '../../trust/notices/credential-changes.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import type { Config } from '../../platform/config/config.ts';
import { fixedRetentionPeriods, secondsPerHour } from '../../platform/base/fixed-periods.ts';

export const serverModule = {
  handlers: () => ({ getEmail, getPendingEmail, updateEmail, approveEmailChange, updatePhone }),
  texts,
  limits: defineAttemptLimits({
    changeEmail: {
      address: allowAttemptsPerHour(60),
      document: allowAttemptsPerHour(5),
      email: allowAttemptsPerDay(10),
    },
    confirmEmail: { address: allowAttemptsPerHour(300) },
  }),
  mails: defineMailTemplates(import.meta.url, {
    'email-change': null,
    'email-change-waits': null,
    'email-confirmed': 'notices',
  }),
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    'email-change': LinkMailValues;
    /** Mail for a change of e-mail address that an agent started. The citizen can confirm the change from `from` on. */
    'email-change-waits': LinkMailValues & MailPlaceholderValues<'from'>;
    'email-confirmed': MailPlaceholderValues<'name' | 'when'>;
  }
}

/** Starts a change of the caller's e-mail address. Several accounts may have the same address, so the response does not depend on other accounts. */
const updateEmail = createAccountCommandHandler<'updateEmail'>(async (command, { body }, { config }) => {
  const { tx, now, audit, notify, citizen, sessionId } = command;
  const email = normalizeEmail(body.email);
  if (email === citizen.email) throw new OperationError(400, 'correo_igual', { field: 'email' });
  await storePendingEmailChange(tx, { citizenId: citizen.id, email }, now);
  if (body.second_factor_flow !== true) await sendEmailChangeMail(command, config, { citizen, email });
  await notify('email-change-requested', citizen, { sessionId });
  await audit('email-change-requested', citizen.id);
  const token = { purpose: 'email-code', citizenId: citizen.id, subject: email, now, lifeS: secondsPerHour } as const;
  return { uuid: await issueLinkToken(tx, token) };
});

/** Confirms a new address with the mailed link. A second use of the link gets the response that the address is already confirmed. */
const approveEmailChange: ResponseBodyHandler<'approveEmailChange'> = async (
  { commands },
  { body, caller, origin },
) => {
  const estado = await commands.run(origin, async (command) => {
    const { tx, now, when } = command;
    const by = await consumeLinkToken(tx, 'email-change', body.uuid, now);
    if (by === null) return (await wasEmailConfirmed(tx, body.uuid)) ? ('ya_confirmado' as const) : null;
    const from =
      by.citizenId === null ? null : await findEarliestEmailConfirmationTime(tx, by.citizenId, by.subject, now);
    if (from !== null) throw new OperationError(409, 'correo_antes_de_plazo', { values: { cuando: when(from) } }); // an early attempt does not consume the link
    return (await applyEmailChange(command, { by, caller })) ? ('confirmado' as const) : null;
  });
  if (estado === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return { estado };
};

/** Whether a used link confirmed its e-mail address, so that the account has this address now. If not, another change voided the link. */
async function wasEmailConfirmed(tx: Tx, secret: string): Promise<boolean> {
  const used = await findUsedLinkToken(tx, 'email-change', secret);
  const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  return citizen !== null && citizen.email === used?.subject && citizen.email_verified_at !== null;
}

const getEmail = createAccountReadHandler<'getEmail'>(async ({ citizen }, _request, { store }) => ({
  email: citizen.email,
  email_validado: citizen.email_verified_at !== null,
  email_por_validar: await findEmailToValidate(store.db, citizen),
}));

const getPendingEmail = createAccountReadHandler<'getPendingEmail'>(async ({ citizen }, _request, { store }) => ({
  email: await findEmailToValidate(store.db, citizen),
}));

const updatePhone = createAccountCommandHandler<'updatePhone'>(async (command, { body }, { config }) => {
  const { tx, audit, notify, citizen, sessionId } = command;
  if (!config.flags.telefono_autogestion) throw new OperationError(404, 'no_encontrado');
  const phone = (body.numero_telefono ?? '').trim() || null;
  if (citizen.phone !== phone) {
    await notify('phone-changed', citizen, { sessionId });
    await tx.updateTable('citizens').set({ phone }).where('id', '=', citizen.id).execute();
    await audit('change-phone', citizen.id);
  }
  return { numero_telefono: phone };
});

/**
 * Starts a change of e-mail address at the desk. If the previous address is verified, its owner can object during the hours of `objectionH`, before
 * the new address can be confirmed.
 */
export async function changeEmailInPerson(
  command: DatabaseCommand,
  config: Config,
  { citizen, email }: { citizen: Citizen; email: string },
): Promise<void> {
  const { tx, now, notify, when } = command;
  const hasVerifiedEmail = citizen.email !== null && citizen.email_verified_at !== null;
  const confirmFrom = hasVerifiedEmail ? addSeconds(now, fixedRetentionPeriods.objectionH * secondsPerHour) : null;
  await storePendingEmailChange(tx, { citizenId: citizen.id, email, confirmFrom }, now);
  await sendEmailChangeMail(command, config, { citizen, email, confirmFrom });
  if (confirmFrom !== null)
    await notify('email-change-by-agent', citizen, { sessionId: null, values: { from: when(confirmFrom) } });
}

/** Sets the new e-mail address. Returns `null` if another change has replaced this change, or if the account is blocked. */
export async function applyEmailChange(
  { tx, now, audit, notify, mail, when }: DatabaseCommand,
  { by: { citizenId, subject: email }, caller }: { by: LinkTokenOwner; caller: Caller | null },
): Promise<Citizen | null> {
  const before = citizenId === null ? null : await findCitizen(tx, citizenId);
  if (before === null || before.blocked_at !== null || !(await consumePendingEmailChange(tx, before.id, email, now)))
    return null;
  const sessionId = caller?.citizenId === before.id ? caller.sessionId : null;
  await notify('email-changed', before, {
    sessionId: sessionId ?? (await findSessionOfLastCredentialChange(tx, before.id, 'email-change-requested')),
  });
  // The confirmation proves access to the mailbox, as an activation link does, so it also activates a pending account.
  const proven = { email, email_verified_at: now, active_at: before.active_at ?? now };
  await tx.updateTable('citizens').set(proven).where('id', '=', before.id).execute();
  await discardPendingEmailChange(tx, before.id, now);
  for (const purpose of ['activation', 'reset'] as const) await voidLinkTokens(tx, purpose, before.id, now);
  await revokeOtherAccess(tx, before.id, now, sessionId);
  await audit('change-email', before.id);
  // This mail to the new address has no "No fui yo" link. Only the notice to the previous address has one.
  const to = { email, citizenId: before.id, cause: 'trusted' } as const;
  await mail(to, 'email-confirmed', { name: before.first_name, when: when(now) });
  return { ...before, ...proven };
}

/** Mails the link that confirms a new address. The token in the link identifies the change. The page only displays the address in the link. */
export async function sendEmailChangeMail(
  { tx, now, mail, link, when }: DatabaseCommand,
  { activationLifeH }: Config,
  { citizen, email, confirmFrom = null }: { citizen: Citizen; email: string; confirmFrom?: Date | null },
): Promise<void> {
  const lifeS = activationLifeH * 60 * 60 + (confirmFrom === null ? 0 : (confirmFrom.getTime() - now.getTime()) / 1000);
  const uuid = await issueLinkToken(tx, { purpose: 'email-change', citizenId: citizen.id, subject: email, now, lifeS });
  const shown = Buffer.from(email).toString('base64url');
  const values = {
    name: citizen.first_name,
    link: link(redirectOnlyPagePaths.approveEmail, { uuid, email: shown }),
    expires: when(addSeconds(now, lifeS)),
  };
  const to = { email, citizenId: citizen.id, cause: 'anyone' } as const;
  if (confirmFrom === null) await mail(to, 'email-change', values);
  else await mail(to, 'email-change-waits', { ...values, from: when(confirmFrom) });
}

async function findEmailToValidate(db: DatabaseStore['db'], citizen: Citizen): Promise<string | null> {
  return selectEmailToValidate(citizen, await findPendingEmail(db, citizen.id));
}

/** Returns the new address of a requested change, or else the current address if it is unverified. */
export function selectEmailToValidate(
  { email, email_verified_at: verifiedAt }: Pick<Citizen, 'email' | 'email_verified_at'>,
  requested: string | null,
): string | null {
  return requested ?? (verifiedAt === null ? email : null);
}
