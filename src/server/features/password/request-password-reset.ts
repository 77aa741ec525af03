import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { readDocument, type Document, documentId } from '../../platform/base/document.ts';
import type { Origin } from '../../platform/base/origin.ts';
import { periods } from '../../platform/base/periods.ts';
import { redirectOnlyPages } from '../../../contract/pages.ts';
import { issueToken, citizenOfLiveToken, consumeToken, voidTokens } from '../../trust/credentials/link-tokens.ts';
import { causeFrom } from '../../trust/abuse/mail-allowance.ts';
import { findCitizenByDocument, type Citizen, maskEmail, findCitizen } from '../../trust/identity/citizens.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import type { Command, Commands } from '../../trust/notices/commands.ts';
import { resetFailures } from '../../trust/notices/failed-attempts.ts';
import { knownDevice } from '../../trust/sessions/known-devices.ts';
import type { Handler } from '../parts.ts';
import { limits } from '../../trust/credentials/index.ts';
import { dropEmailChange } from '../../trust/credentials/email-changes.ts';
import { endOthers } from '../../trust/sessions/end-others.ts';

/** Sets a new password with a one-time mailed link. It signs nobody in. It clears the delay for sign-ins with that document. */
export const confirmPasswordReset: Handler<'confirmPasswordReset'> = async (
  { commands, store, clock, config, passwords, throttle },
  { body, origin },
) => {
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const token = body.token ?? '';
  const invalid = new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  if ((await citizenOfLiveToken(store.db, 'reset', token, clock.now())) === null) throw invalid; // avoids hashing for nothing
  const passwordHash = await passwords.hash(body.password ?? '');
  const citizen = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const used = await consumeToken(tx, 'reset', token, now);
    const found = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
    if (used === null || found === null || found.email !== used.subject) throw invalid;
    await changePassword(command, { citizen: found, passwordHash, keep: null, isReset: true });
    await audit('reset-password', found.id);
    return found;
  });
  await throttle.forgive({ limit: limits.signIn, counted: { document: documentId(citizen) } });
  return { body: {} };
};

const lifeS = periods.resetLinkMin * 60;

/** Mails a link to set a new password. The response and its timing are the same for any state of the account, and without one. */
export const requestPasswordReset: Handler<'requestPasswordReset'> = async (
  { commands, store, config },
  { body, cookies, origin },
) => {
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const document = readDocument(body.pais_emisor, body.tipo_doc, body.doc);
  const told = config.resetShowsEmail ? mailbox(await findCitizenByDocument(store.db, document)) : null;
  return {
    body: { minutos: periods.resetLinkMin, ...(told !== null && { email: maskEmail(told) }) },
    after: () => mailLink(commands, origin, document, cookies.device),
  };
};

/** Only a verified address may be used to open the account. */
function mailbox(citizen: Citizen | null): string | null {
  return citizen?.email_verified_at ? citizen.email : null;
}

// A document without an account takes the same time as one with an account and stores nothing. So a later call cannot tell them apart either.
async function mailLink(
  commands: Commands,
  origin: Origin,
  document: Document,
  cookie: string | undefined,
): Promise<void> {
  await commands.commitIf(origin, async (command) => {
    const citizen = await findCitizenByDocument(command.tx, document);
    const email = mailbox(citizen);
    const issued = await issueResetLink(command, { citizen, email: email ?? '' });
    const device = await knownDevice(command.tx, { citizenId: citizen?.id ?? '', cookie });
    const to = { email: email ?? '', citizenId: citizen?.id ?? null, cause: causeFrom(device, 'document') };
    await command.mail(to, 'reset-password', { name: citizen?.first_name ?? '', ...issued });
    await command.audit('reset-requested', citizen?.id ?? null);
    return email !== null;
  });
}

/** Issues a link to set a new password, valid only while the account has that address. Returns it with its expiry as text. */
export async function issueResetLink(
  { tx, now, link, when }: Command,
  { citizen, email }: { citizen: Citizen | null; email: string },
): Promise<{ link: string; expires: string }> {
  const token = await issueToken(tx, { purpose: 'reset', citizenId: citizen?.id ?? null, subject: email, now, lifeS });
  return { link: link(redirectOnlyPages.newPassword, { token }), expires: when(after(now, lifeS)) };
}

/**
 * Sets a new password (`isReset`: by a mailed link). Ends other sessions and running sign-ins, voids reset links, drops a pending change of address
 * and notifies the citizen. Second factors stay.
 */
export async function changePassword(
  { tx, now, notify }: Command,
  {
    citizen,
    passwordHash,
    keep,
    isReset = false,
  }: { citizen: Citizen; passwordHash: string; keep: string | null; isReset?: boolean },
): Promise<void> {
  const changed = { password_hash: passwordHash, changed_at: now, reset_at: isReset ? now : null };
  await tx
    .insertInto('credentials')
    .values({ citizen_id: citizen.id, ...changed })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(changed))
    .execute();
  await resetFailures(tx, citizen.id, challengeNames.password);
  await endOthers(tx, citizen.id, now, keep);
  await voidTokens(tx, 'reset', citizen.id, now);
  await dropEmailChange(tx, citizen.id, now);
  await notify('password-changed', citizen, { sessionId: keep });
}
