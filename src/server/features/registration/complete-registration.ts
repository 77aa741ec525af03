import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { hasSecondFactor } from '../../trust/credentials/second-factors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen, findPasswordHash, toPersonNames, type Citizen } from '../../trust/identity/citizens.ts';
import { comparePersonNames, findDifferingNameField } from '../../trust/identity/registry/compare-names.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { buildLiveSessionCondition } from '../../trust/sessions/broker-sessions.ts';
import { sendActivationMail, issueActivationResendToken } from './activation-mail.ts';
import {
  createAlreadyRegisteredError,
  deletePendingAccountOfDocument,
  parseRegistrationForm,
  type RegistrationForm,
} from './register-citizen.ts';
import { getIdentityLevel, minSecondFactorLevel } from '../../trust/identity/assurance-levels.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { reliesOnThirdParty } from '../../trust/identity/session-level.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';

const factorMethods: readonly string[] = [
  challengeNames.totp,
  challengeNames.mailedCode,
  challengeNames.recoveryCode,
  challengeNames.passkey,
  challengeNames.card,
];

/**
 * Completes the record of a citizen who was registered elsewhere (specification, section 4.4). The form must repeat names and document
 * unchanged, because they were verified at that registration. An existing password stays valid. The record of a foreign provider's user becomes an
 * account, unless the document already has one.
 */
export const completeRegistration: ResponseBodyHandler<'completeRegistration'> = async (
  { commands, config, passwords },
  { params, body, caller, origin },
) => {
  const id = params['id'] ?? '';
  const form = parseRegistrationForm(body);
  const passwordHash = form.password === '' ? null : await passwords.hash(form.password);

  const reenvio = await commands.run(origin, async (command) => {
    const { tx, now, audit } = command;
    await tx.selectFrom('citizens').select('id').where('id', '=', id).forUpdate().execute(); // serializes concurrent completions of the same record
    const citizen = await findCitizen(tx, id);
    if (citizen === null) throw new OperationError(404, 'no_encontrado');
    assertSamePerson(citizen, form);
    const hasPassword = (await findPasswordHash(tx, id)) !== null;
    await assertSessionProof(tx, { citizen, hasPassword, sessionId: caller?.sessionId ?? '', now });
    if (!hasPassword && passwordHash === null) throw new OperationError(400, 'campo_requerido', { field: 'password' });
    if (citizen.idp !== null && !(await deletePendingAccountOfDocument(command, form)))
      throw createAlreadyRegisteredError(form.document, config, origin.language);
    await tx
      .updateTable('citizens')
      .set({ email: form.email, email_verified_at: null, phone: form.phone, idp: null })
      .where('id', '=', id)
      .execute();
    if (!hasPassword && passwordHash !== null)
      await tx
        .insertInto('credentials')
        .values({ citizen_id: id, password_hash: passwordHash, changed_at: now })
        .execute();
    await revokeOtherAccess(tx, id, now, caller?.sessionId ?? null);
    await audit('complete-registration', id, { password: hasPassword ? 'kept' : 'set' });
    await sendActivationMail(command, config, { id, name: citizen.first_name, email: form.email, endsAt: null });
    return issueActivationResendToken(command, formatDocumentId(form.document));
  });
  return { email: form.email, reenvio };
};

/**
 * Throws unless the session may set the e-mail address and the first password of a record. If a third party asserted the identity, the session must
 * have proven an existing password. The citizen must sign in with another method if the session has not proven an existing second factor, or has a
 * lower assurance level than a record without a password.
 */
async function assertSessionProof(
  tx: Tx,
  { citizen, hasPassword, sessionId, now }: { citizen: Citizen; hasPassword: boolean; sessionId: string; now: Date },
): Promise<void> {
  const session = await tx
    .selectFrom('broker_sessions')
    .select(['amr', 'nid', 'verified_at'])
    .where('id', '=', sessionId)
    .where('citizen_id', '=', citizen.id)
    .where(buildLiveSessionCondition(now))
    .executeTakeFirst();
  if (session === undefined) throw new OperationError(401, 'no_autenticado');
  const { nid } = session;
  const amr = session.amr.split(' ');
  const gavePassword = session.verified_at !== null || amr.includes(challengeNames.password);
  if (hasPassword && !gavePassword && reliesOnThirdParty(amr)) {
    const next = buildHref(redirectOnlyPagePaths.verifyIdentity, { next: pagePaths.register });
    throw new OperationError(403, 'verificacion_requerida', { next });
  }
  const gaveFactor =
    amr.some((method) => factorMethods.includes(method)) || (gavePassword && nid >= minSecondFactorLevel);
  const hasFactor = await hasSecondFactor(tx, citizen.id);
  if ((!hasPassword && nid < getIdentityLevel(citizen).nid) || (hasFactor && !gaveFactor))
    throw new OperationError(403, 'completar_de_otra_manera');
}

function assertSamePerson(citizen: Citizen, { document, person }: RegistrationForm): void {
  if (citizen.email !== null) throw new OperationError(409, 'registro_completo');
  if (formatDocumentId(citizen) !== formatDocumentId(document))
    throw new OperationError(400, 'documento_distinto', { field: 'numero_documento' });
  const recorded = toPersonNames(citizen);
  if (comparePersonNames(person, recorded) !== 'agree')
    throw new OperationError(400, 'datos_no_coinciden', { field: findDifferingNameField(person, recorded) });
}
