import { buildHref } from '../../../contract/build-href.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { formatDocumentId } from '../../platform/base/identity-document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  findActiveSecondFactors,
  hasActiveSecondFactor,
  type ActiveSecondFactors,
} from '../../trust/credentials/second-factors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen, findPasswordHash, toPersonNames, type Citizen } from '../../trust/identity/citizens.ts';
import { comparePersonNames, findDifferingNameField } from '../../trust/identity/registry/compare-names.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { buildLiveSessionCondition } from '../../trust/sessions/sessions.ts';
import { sendActivationMail, issueActivationResendToken } from './activation-mail.ts';
import {
  createAlreadyRegisteredError,
  freeDocumentForRegistration,
  parseRegistrationForm,
  type RegistrationForm,
} from './register-citizen.ts';
import { getIdentityLevel, minSecondFactorNid } from '../../trust/identity/levels.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { reliesOnThirdParty } from '../../trust/identity/session-level.ts';
import type { AnswerHandler } from '../handler-context.ts';

interface AccountProtection {
  readonly citizen: Pick<Citizen, 'level'>;
  readonly hasPassword: boolean;
  readonly factors: ActiveSecondFactors;
}

interface SessionProof {
  readonly amr: readonly string[];
  readonly nid: number;
  /** Time at which the current password was verified in this session. `null` if it was not. */
  readonly verifiedAt: Date | null;
}

/** Authentication methods that prove a second factor, or both factors. */
const factorMethods: readonly string[] = [
  challengeNames.totp,
  challengeNames.mailedCode,
  challengeNames.recoveryCode,
  challengeNames.passkey,
  challengeNames.card,
];

/**
 * Returns the reason why a session may not set the e-mail address and the first password of a record, or `null` if it may. `password`: the record
 * has a password that this session has not proven, and a third party asserted the identity. `sign-in`: the citizen must sign in with another
 * method, because the session has not proven an existing second factor, or has a lower assurance level than a record without a password.
 */
function findCompletionRefusal(
  { citizen, hasPassword, factors }: AccountProtection,
  { amr, nid, verifiedAt }: SessionProof,
): 'password' | 'sign-in' | null {
  const gavePassword = verifiedAt !== null || amr.includes(challengeNames.password);
  const gaveFactor = amr.some((method) => factorMethods.includes(method));
  if (hasPassword && !gavePassword && reliesOnThirdParty(amr)) return 'password';
  if (!hasPassword && nid < getIdentityLevel(citizen).nid) return 'sign-in';
  if (hasActiveSecondFactor(factors) && !gaveFactor && !(gavePassword && nid >= minSecondFactorNid)) return 'sign-in';
  return null;
}

/**
 * Completes the record of a citizen who was registered elsewhere (section 4.4 of the specification). The form must repeat names and document
 * unchanged, because they were verified at that registration. An existing password stays valid. The record of a foreign provider's user becomes an
 * account, unless the document already has one.
 */
export const completeRegistration: AnswerHandler<'completeRegistration'> = async (
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
    if (citizen.idp !== null && !(await freeDocumentForRegistration(command, form)))
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
    await sendActivationMail(command, config, {
      id,
      name: citizen.first_name,
      email: form.email,
      endsAt: null,
    });
    return issueActivationResendToken(command, formatDocumentId(form.document));
  });
  return { email: form.email, reenvio };
};

/** Throws if the session has ended or has not proven the factors that the record requires. */
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
  const factors = await findActiveSecondFactors(tx, citizen.id);
  const { amr, nid, verified_at: verifiedAt } = session;
  switch (findCompletionRefusal({ citizen, hasPassword, factors }, { amr: amr.split(' '), nid, verifiedAt })) {
    case 'password': {
      const next = buildHref(redirectOnlyPagePaths.verifyIdentity, { next: pagePaths.register });
      throw new OperationError(403, 'verificacion_requerida', { next });
    }
    case 'sign-in':
      throw new OperationError(403, 'completar_de_otra_manera');
    case null:
  }
}

function assertSamePerson(citizen: Citizen, { document, person }: RegistrationForm): void {
  if (citizen.email !== null) throw new OperationError(409, 'registro_completo');
  if (formatDocumentId(citizen) !== formatDocumentId(document)) {
    throw new OperationError(400, 'documento_distinto', { field: 'numero_documento' });
  }
  const recorded = toPersonNames(citizen);
  if (comparePersonNames(person, recorded) !== 'agree')
    throw new OperationError(400, 'datos_no_coinciden', { field: findDifferingNameField(person, recorded) });
}
