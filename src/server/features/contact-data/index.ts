import { nameMails } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { nameLimits, allowPerHour, allowPerDay } from '../../platform/topics/limit.ts';
import type { Tx, Store } from '../../platform/database/open-store.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  findConfirmableTime,
  storeEmailChange,
  discardEmailChange,
  consumeEmailChange,
  findPendingEmail,
} from '../../trust/credentials/email-changes.ts';
import {
  consumeToken,
  findUsedToken,
  issueToken,
  voidTokens,
  type TokenOwner,
} from '../../trust/credentials/link-tokens.ts';
import { findCitizen, type Citizen } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import { createAccountReadHandler, type AnswerHandler, createAccountCommandHandler } from '../handler-context.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { findSessionOfLastChange } from '../../trust/notices/credential-changes.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { redirectOnlyPages } from '../../../contract/pages.ts';
import type { Config } from '../../platform/config/config.ts';
import { fixedRetentionPeriods } from '../../platform/base/periods.ts';

export const topic = {
  handlers: () => ({ getEmail, getPendingEmail, updateEmail, approveEmailChange, updatePhone }),
  texts,
  limits: nameLimits({
    changeEmail: {
      address: allowPerHour(60),
      document: allowPerHour(5),
      email: allowPerDay(10),
    },
    confirmEmail: { address: allowPerHour(300) },
  }),
  mails: nameMails(import.meta.url, {
    'email-change': null,
    'email-change-waits': null,
    'email-confirmed': 'notices',
  }),
} as const satisfies Topic;

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    'email-change': LinkValues;
    /** Mail for a change that an agent started. The citizen can confirm it from `from` on. */
    'email-change-waits': LinkValues & Values<'from'>;
    'email-confirmed': Values<'name' | 'when'>;
  }
}

const codeTokenLifeS = 60 * 60;

/**
 * Requests a change of address. The account's address changes when the new one is confirmed, with the mailed link or a
 * mailed code. Other accounts may have the same address, so the response reveals nothing about them.
 */
const updateEmail = createAccountCommandHandler<'updateEmail'>(async (command, { body }, { config }) => {
  const { tx, now, audit, notify, citizen, sessionId } = command;
  const email = readEmail(body.email);
  if (email === citizen.email) throw new OperationError(400, 'correo_igual', { field: 'email' });
  await storeEmailChange(tx, { citizenId: citizen.id, email }, now);
  if (body.second_factor_flow !== true) await sendEmailChangeMail(command, config, { citizen, email });
  await notify('email-change-requested', citizen, { sessionId });
  await audit('email-change-requested', citizen.id);
  const token = { purpose: 'email-code', citizenId: citizen.id, subject: email, now, lifeS: codeTokenLifeS } as const;
  return { uuid: await issueToken(tx, token) };
});

/**
 * Confirms a new address with the one-time link that was mailed to it. No session is needed. A second use reports that the address is already
 * confirmed.
 */
const approveEmailChange: AnswerHandler<'approveEmailChange'> = async ({ commands }, { body, caller, origin }) => {
  const estado = await commands.run(origin, async (command) => {
    const { tx, now, when } = command;
    const by = await consumeToken(tx, 'email-change', body.uuid, now);
    if (by === null) return (await wasConfirmed(tx, body.uuid)) ? ('ya_confirmado' as const) : null;
    const from = by.citizenId === null ? null : await findConfirmableTime(tx, by.citizenId, by.subject, now);
    if (from !== null) throw new OperationError(409, 'correo_antes_de_plazo', { values: { cuando: when(from) } }); // an early attempt does not consume the link
    return (await applyEmailChange(command, { by, caller })) ? ('confirmado' as const) : null;
  });
  if (estado === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return { estado };
};

/**
 * Whether a used link confirmed the address. Otherwise another change voided it. After a confirmation, the account has
 * the link's address.
 */
async function wasConfirmed(tx: Tx, secret: string): Promise<boolean> {
  const used = await findUsedToken(tx, 'email-change', secret);
  const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  return citizen !== null && citizen.email === used?.subject && citizen.email_verified_at !== null;
}

const getEmail = createAccountReadHandler<'getEmail'>(async ({ citizen }, _request, { store }) => {
  const { email, email_verified_at: verifiedAt } = citizen;
  return {
    email,
    email_validado: verifiedAt !== null,
    email_por_validar: await findEmailToValidate(store.db, citizen),
  };
});

const getPendingEmail = createAccountReadHandler<'getPendingEmail'>(async ({ citizen }, _request, { store }) => {
  return { email: await findEmailToValidate(store.db, citizen) };
});

/** Changes the citizen's phone number. An empty number removes it. Throws a 404 if the flag `telefono_autogestion` is off. */
const updatePhone: AnswerHandler<'updatePhone'> = async ({ commands, config }, { body, caller, origin }) => {
  if (!config.flags.telefono_autogestion) throw new OperationError(404, 'no_encontrado');
  const phone = (body.numero_telefono ?? '').trim() || null;
  await commands.run(origin, async ({ tx, audit, notify }) => {
    const { citizen, sessionId } = await readCallerAccount(tx, caller);
    if (citizen.phone === phone) return;
    await notify('phone-changed', citizen, { sessionId });
    await tx.updateTable('citizens').set({ phone }).where('id', '=', citizen.id).execute();
    await audit('change-phone', citizen.id);
  });
  return { numero_telefono: phone };
};

/** Time in which the owner of the previous mailbox can object to a change that an agent started, in seconds. */
const objectionS = fixedRetentionPeriods.objectionH * 60 * 60;

/**
 * Starts a change of address for a citizen who appeared in person. A verified previous address gets time to object before the new one can be
 * confirmed.
 */
export async function changeEmailInPerson(
  command: Command,
  config: Config,
  { citizen, email }: { citizen: Citizen; email: string },
): Promise<void> {
  const { tx, now, notify, when } = command;
  const hasVerifiedEmail = citizen.email !== null && citizen.email_verified_at !== null;
  const confirmFrom = hasVerifiedEmail ? addSeconds(now, objectionS) : null;
  await storeEmailChange(tx, { citizenId: citizen.id, email, confirmFrom }, now);
  await sendEmailChangeMail(command, config, { citizen, email, confirmFrom });
  if (confirmFrom !== null)
    await notify('email-change-by-agent', citizen, { sessionId: null, values: { from: when(confirmFrom) } });
}

interface EmailConfirmation {
  /** Owner of the confirmed token, and the new address. */
  readonly by: TokenOwner;
  /** Caller of the operation. Their session continues if it belongs to the owner of the token. */
  readonly caller: Pick<Caller, 'citizenId' | 'sessionId'> | null;
}

/**
 * Sets the confirmed address. Returns `null` if another change has replaced this one, or the account is blocked. Ends
 * other sessions and voids all links that were sent to the old address. Notifies both addresses, the old one with a
 * link to disavow. Later codes are mailed to the new address.
 */
export async function applyEmailChange(
  { tx, now, audit, notify, mail, when }: Command,
  { by: { citizenId, subject: email }, caller }: EmailConfirmation,
): Promise<Citizen | null> {
  const before = citizenId === null ? null : await findCitizen(tx, citizenId);
  if (before === null || before.blocked_at !== null || !(await consumeEmailChange(tx, before.id, email, now)))
    return null;
  const sessionId = caller?.citizenId === before.id ? caller.sessionId : null;
  await notify('email-changed', before, {
    sessionId: sessionId ?? (await findSessionOfLastChange(tx, before.id, 'email-change-requested')),
  });
  // Like an activation link, the confirmation proves the mailbox. So it also activates a pending account.
  const proven = { email, email_verified_at: now, active_at: before.active_at ?? now };
  await tx.updateTable('citizens').set(proven).where('id', '=', before.id).execute();
  await discardEmailChange(tx, before.id, now);
  for (const purpose of ['activation', 'reset'] as const) await voidTokens(tx, purpose, before.id, now);
  await revokeOtherAccess(tx, before.id, now, sessionId);
  await audit('change-email', before.id);
  // Only the previous address gets a link to disavow.
  const to = { email, citizenId: before.id, cause: 'trusted' } as const;
  await mail(to, 'email-confirmed', { name: before.first_name, when: when(now) });
  return { ...before, ...proven };
}

/**
 * Mails the confirmation link. The address in the link is only displayed: the token identifies the change. Until `confirmFrom`, the previous
 * address can object.
 */
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
    link: link(redirectOnlyPages.approveEmail, { uuid, email: shown }),
    expires: when(addSeconds(now, lifeS)),
  };
  const to = { email, citizenId: citizen.id, cause: 'anyone' } as const;
  if (confirmFrom === null) await mail(to, 'email-change', values);
  else await mail(to, 'email-change-waits', { ...values, from: when(confirmFrom) });
}

/**
 * Returns the address to validate: the new one of a requested change, or else the citizen's current one. Returns `null`
 * if there is none.
 */
async function findEmailToValidate(
  db: Store['db'] | Tx,
  citizen: Pick<Citizen, 'id' | 'email' | 'email_verified_at'>,
): Promise<string | null> {
  return selectEmailToValidate(citizen, await findPendingEmail(db, citizen.id));
}

/**
 * Selects the address to validate like `findEmailToValidate`, without a query. `null` as the requested address means
 * that no change is requested.
 */
export function selectEmailToValidate(
  { email, email_verified_at: verifiedAt }: Pick<Citizen, 'email' | 'email_verified_at'>,
  requested: string | null,
): string | null {
  return requested ?? (verifiedAt === null ? email : null);
}
