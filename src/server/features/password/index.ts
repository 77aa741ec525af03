import {
  defineAttemptLimits,
  allowAttemptsPerHour,
  allowAttemptsPerDay,
} from '../../platform/modules/attempt-limits.ts';
import { defineMailTemplates } from '../../platform/modules/mail-templates.ts';
import type { ServerModule } from '../../platform/modules/server-module.ts';
import texts from './texts.json' with { type: 'json' };
import { OperationError } from '../../platform/base/errors.ts';
import {
  findLiveLinkToken,
  issueLinkToken,
  consumeLinkToken,
  voidLinkTokens,
} from '../../trust/credentials/link-tokens.ts';
import {
  findCitizen,
  findPasswordHash,
  findCitizenByDocument,
  type Citizen,
  maskEmail,
} from '../../trust/identity/citizens.ts';
import { createAccountReadHandler, type ResponseBodyHandler, type ReplyHandler } from '../handler-context.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { assertIdentityProof, recordProofOfIdentity } from '../../trust/sessions/identity-proof.ts';
import {
  countAuthenticatorFailure,
  clearFailuresOfProvenFactors,
  isAuthenticatorDisabled,
  listAuthenticatorFailures,
  resetAuthenticatorFailures,
} from '../../trust/notices/authenticator-failures.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { findKnownDevice } from '../../trust/sessions/known-devices.ts';
import { renewSessionSecret } from '../../trust/sessions/raise-session-level.ts';
import { formatDocumentId, normalizeDocument } from '../../platform/base/identity-document.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { fixedRetentionPeriods } from '../../platform/base/fixed-periods.ts';
import { redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { resolveMailCause } from '../../trust/abuse/mail-allowance.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { credentialAttemptLimits } from '../../trust/credentials/index.ts';
import { discardPendingEmailChange } from '../../trust/credentials/email-changes.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';

export const serverModule = {
  handlers: () => ({
    verifyPassword,
    updatePassword,
    changePassword: updatePassword,
    requestPasswordReset,
    checkPasswordReset,
    confirmPasswordReset,
  }),
  texts,
  limits: defineAttemptLimits({
    reset: { address: allowAttemptsPerHour(60), document: allowAttemptsPerHour(5) },
    confirmReset: { address: allowAttemptsPerHour(300) },
    /** Limit of password checks. `checks` also counts correct passwords, because each check computes an expensive hash. */
    verifyIdentity: {
      address: allowAttemptsPerHour(60),
      document: allowAttemptsPerDay(10),
      checks: allowAttemptsPerHour(240),
    },
  }),
  mails: defineMailTemplates(import.meta.url, { 'reset-password': null }),
} as const satisfies ServerModule;

declare module '../../platform/modules/mail-templates.ts' {
  interface MailPlaceholders {
    'reset-password': LinkMailValues;
  }
}

/** Checks whether a mailed link can still set a new password. Does not consume the link, because mail scanners open links before the citizen does. */
const checkPasswordReset: ResponseBodyHandler<'checkPasswordReset'> = async ({ store, clock }, { body }) => {
  const link = await findLiveLinkToken(store.db, 'reset', body.token, clock.now());
  const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
  if (link === null || citizen?.email !== link.subject)
    throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
};

const updatePassword: ResponseBodyHandler<'updatePassword' | 'changePassword'> = async (
  dependencies,
  { body, caller, origin },
) => {
  const { commands, store, passwords, config } = dependencies;
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const { citizen, sessionId } = await readCallerAccount(store.db, caller);
  const password = body.new_pass ?? '';
  if (await passwords.verify(await findPasswordHash(store.db, citizen.id), password))
    throw new OperationError(400, 'contrasena_repetida', { field: 'new_pass' });
  const passwordHash = await passwords.hash(password, 'new_pass');
  await commands.run(origin, async (command) => {
    const { tx, audit } = command;
    await assertIdentityProof(dependencies, tx, 'updatePassword', { caller, body }); // the session may have ended while the password was hashed
    const current = await readCallerAccount(tx, caller);
    await changePassword(command, { citizen: current.citizen, passwordHash, keep: sessionId });
    await audit('change-password', citizen.id);
  });
};

/** Verifies the caller's password. Hashing is too slow for a transaction, so the transaction checks that the stored hash has not changed since. */
const verifyPassword = createAccountReadHandler<'verifyPassword'>(
  async (
    { citizen, sessionId },
    { body, caller, cookies, origin },
    { commands, store, passwords, throttle, limits },
  ) => {
    const stored = await findPasswordHash(store.db, citizen.id);
    const wrong = new OperationError(400, 'contrasena_invalida', { field: 'pwd' });
    const known = await findKnownDevice(store.db, { citizenId: citizen.id, cookie: cookies.device });
    const failed = await listAuthenticatorFailures(store.db, citizen.id);
    const isRight = await passwords.verify(stored, body.pwd ?? '');
    if (!isRight || isAuthenticatorDisabled(failed, challengeNames.password, known)) {
      await commands.run(origin, async (command) => {
        await command.audit('identity-refused', citizen.id);
        const failure = { citizenId: citizen.id, authenticator: challengeNames.password, browser: known };
        await countAuthenticatorFailure(command, failure);
      });
      throw wrong;
    }
    const counted = { address: origin.address, document: formatDocumentId(citizen) };
    await throttle.forgive({ limit: limits.verifyIdentity, counted });
    return commands.run(origin, async ({ tx, now, audit }) => {
      if ((await findPasswordHash(tx, citizen.id)) !== stored) throw wrong;
      if (failed.length > 0)
        await clearFailuresOfProvenFactors(tx, citizen.id, { proven: [challengeNames.password], browser: known });
      await recordProofOfIdentity(tx, sessionId, now);
      await audit('identity-verified', citizen.id);
      return { body: {}, ...(await renewSessionSecret(tx, { caller, cookies }, now)) };
    });
  },
);

/** Sets a new password with a mailed link. Does not sign in. Resets the throttle of sign-ins with the account's document. */
const confirmPasswordReset: ResponseBodyHandler<'confirmPasswordReset'> = async (
  { commands, store, clock, config, passwords, throttle },
  { body, origin },
) => {
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const token = body.token ?? '';
  const invalid = new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  if (!(await findLiveLinkToken(store.db, 'reset', token, clock.now()))?.citizenId) throw invalid; // avoids hashing for an invalid link
  const passwordHash = await passwords.hash(body.password ?? '');
  const citizen = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    const used = await consumeLinkToken(tx, 'reset', token, now);
    const found = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
    if (used === null || found === null || found.email !== used.subject) throw invalid;
    await changePassword(command, { citizen: found, passwordHash, keep: null, isReset: true });
    await audit('reset-password', found.id);
    return found;
  });
  await throttle.forgive({ limit: credentialAttemptLimits.signIn, counted: { document: formatDocumentId(citizen) } });
};

/**
 * Mails a link to set a new password. The response and its timing depend neither on whether the document has an account nor on the account's state.
 */
const requestPasswordReset: ReplyHandler<'requestPasswordReset'> = async (
  { commands, store, config },
  { body, cookies, origin },
) => {
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const document = normalizeDocument(body.pais_emisor, body.tipo_doc, body.doc);
  const shownEmail = config.resetShowsEmail ? findVerifiedEmail(await findCitizenByDocument(store.db, document)) : null;
  return {
    body: { minutos: fixedRetentionPeriods.resetLinkMin, ...(shownEmail !== null && { email: maskEmail(shownEmail) }) },
    // Does the same work for a document without an account, so that the timing does not reveal whether there is one. Then rolls back, so that later
    // requests do not reveal it either.
    after: () =>
      commands.commitIf(origin, async (command) => {
        const citizen = await findCitizenByDocument(command.tx, document);
        const email = findVerifiedEmail(citizen);
        const citizenId = citizen?.id ?? null;
        const issued = await issuePasswordResetLink(command, { citizen, email: email ?? '' });
        const device = await findKnownDevice(command.tx, { citizenId: citizenId ?? '', cookie: cookies.device });
        const to = { email: email ?? '', citizenId, cause: resolveMailCause(device, 'document') };
        await command.mail(to, 'reset-password', { name: citizen?.first_name ?? '', ...issued });
        await command.audit('reset-requested', citizenId);
        return email !== null;
      }),
  };
};

/** Returns the e-mail address for the reset link, or `null` if it is unverified, because only a verified address may recover an account. */
function findVerifiedEmail(citizen: Citizen | null): string | null {
  return citizen?.email_verified_at ? citizen.email : null;
}

/** Issues a link to set a new password. It is valid only while `email` is the account's e-mail address. */
export async function issuePasswordResetLink(
  { tx, now, link, when }: DatabaseCommand,
  { citizen, email }: { citizen: Citizen | null; email: string },
): Promise<{ link: string; expires: string }> {
  const lifeS = fixedRetentionPeriods.resetLinkMin * 60;
  const citizenId = citizen?.id ?? null;
  const token = await issueLinkToken(tx, { purpose: 'reset', citizenId, subject: email, now, lifeS });
  return { link: link(redirectOnlyPagePaths.newPassword, { token }), expires: when(addSeconds(now, lifeS)) };
}

/**
 * Stores a new password and ends the account's sessions, except the session `keep`. `isReset`: whether a mailed link authorized the change. Does not
 * change the second factors.
 */
export async function changePassword(
  { tx, now, notify }: DatabaseCommand,
  change: { citizen: Citizen; passwordHash: string; keep: string | null; isReset?: boolean },
): Promise<void> {
  const { citizen, passwordHash, keep, isReset = false } = change;
  const changed = { password_hash: passwordHash, changed_at: now, reset_at: isReset ? now : null };
  await tx
    .insertInto('credentials')
    .values({ citizen_id: citizen.id, ...changed })
    .onConflict((conflict) => conflict.column('citizen_id').doUpdateSet(changed))
    .execute();
  await resetAuthenticatorFailures(tx, citizen.id, challengeNames.password);
  await revokeOtherAccess(tx, citizen.id, now, keep);
  await voidLinkTokens(tx, 'reset', citizen.id, now);
  await discardPendingEmailChange(tx, citizen.id, now);
  await notify('password-changed', citizen, { sessionId: keep });
}
