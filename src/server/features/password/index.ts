import { dayS, hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import { nameMails } from '../../platform/topics/mail.ts';
import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { confirmPasswordReset, requestPasswordReset, changePassword } from './request-password-reset.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { findLiveToken } from '../../trust/credentials/link-tokens.ts';
import { findCitizen, findPasswordHash } from '../../trust/identity/citizens.ts';
import type { Handler } from '../parts.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { demandProof, noteProof } from '../../trust/sessions/identity-proof.ts';
import { countFailure, forgiveFailures, isDisabled, listFailures } from '../../trust/notices/failed-attempts.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { knownDevice } from '../../trust/sessions/known-devices.ts';
import { renewCookie } from '../../trust/sessions/raise-session.ts';
import { documentId } from '../../platform/base/document.ts';

export const topic = {
  handlers: () => ({
    verifyPassword,
    updatePassword,
    changePassword: updatePassword,
    requestPasswordReset,
    checkPasswordReset,
    confirmPasswordReset,
  }),
  texts,
  limits: nameLimits({
    reset: { address: { free: 60, windowS: hourS }, document: { free: 5, windowS: hourS } },
    confirmReset: { address: { free: 300, windowS: hourS } },
    /** `checks` as in `signIn`. */
    verifyIdentity: {
      address: { free: 60, windowS: hourS },
      document: { free: 10, windowS: dayS },
      checks: { free: 240, windowS: hourS },
    },
  }),
  mails: nameMails(import.meta.url, {
    'reset-password': null,
  }),
} as const satisfies Topic;

declare module '../../platform/topics/mail.ts' {
  interface Mails {
    'reset-password': LinkValues;
  }
}

/** Checks whether a mailed link can still set a new password. It does not use up the link: mail scanners open links too. */
const checkPasswordReset: Handler<'checkPasswordReset'> = async ({ store, clock }, { body }) => {
  const link = await findLiveToken(store.db, 'reset', body.token, clock.now());
  const citizen = link?.citizenId == null ? null : await findCitizen(store.db, link.citizenId);
  if (link === null || citizen?.email !== link.subject)
    throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return { body: {} };
};

/** Changes the citizen's password after checking the current one. Ends every other session. */
const updatePassword: Handler<'updatePassword' | 'changePassword'> = async (dependencies, { body, caller, origin }) => {
  const { commands, store, passwords, config } = dependencies;
  if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
  const { citizen, sessionId } = await ownCitizen(store.db, caller);
  const password = body.new_pass ?? '';
  if (await passwords.verify(await findPasswordHash(store.db, citizen.id), password)) {
    throw new OperationError(400, 'contrasena_repetida', { field: 'new_pass' });
  }
  const passwordHash = await passwords.hash(password, 'new_pass');
  await commands.run(origin, async (command) => {
    const { tx, audit } = command;
    await demandProof(dependencies, tx, 'updatePassword', { caller, body }); // the session may have ended during the hashing
    const current = await ownCitizen(tx, caller);
    await changePassword(command, { citizen: current.citizen, passwordHash, keep: sessionId });
    await audit('change-password', citizen.id);
  });
  return { body: {} };
};

/**
 * Verifies the current password. Wrong attempts are counted by document and address, which delays, and a hundred in a row disable the password. The hash
 * is checked outside of any transaction, so the transaction checks that it is still the stored one.
 */
const verifyPassword: Handler<'verifyPassword'> = async (
  { commands, store, passwords, throttle, limits },
  { body, caller, cookies, origin },
) => {
  const { citizen, sessionId } = await ownCitizen(store.db, caller);
  const stored = await findPasswordHash(store.db, citizen.id);
  const wrong = new OperationError(400, 'contrasena_invalida', { field: 'pwd' });
  const known = await knownDevice(store.db, { citizenId: citizen.id, cookie: cookies.device });
  const failed = await listFailures(store.db, citizen.id);
  const isRight = await passwords.verify(stored, body.pwd ?? '');
  if (!isRight || isDisabled(failed, challengeNames.password, known)) {
    await commands.run(origin, async (command) => {
      await command.audit('identity-refused', citizen.id);
      await countFailure(command, { citizenId: citizen.id, authenticator: challengeNames.password, browser: known });
    });
    throw wrong;
  }
  await throttle.forgive({
    limit: limits.verifyIdentity,
    counted: { address: origin.address, document: documentId(citizen) },
  });
  return commands.run(origin, async ({ tx, now, audit }) => {
    if ((await findPasswordHash(tx, citizen.id)) !== stored) throw wrong;
    if (failed.length > 0) await forgiveFailures(tx, citizen.id, { proven: [challengeNames.password], browser: known });
    await noteProof(tx, sessionId, now);
    await audit('identity-verified', citizen.id);
    return { body: {}, ...(await renewCookie(tx, { id: sessionId, cookie: cookies.session, now })) };
  });
};
