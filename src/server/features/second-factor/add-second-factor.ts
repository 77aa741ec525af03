import type { JsonObject } from '../../../engine/core/json.ts';
import type { UntypedOperationRequest, OperationReply } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import {
  deleteRecoveryCodes,
  generateRecoveryCodes,
  storeRecoveryCodes,
  type RecoveryCodes,
} from '../../trust/credentials/recovery-codes.ts';
import {
  findActiveSecondFactors,
  countActiveSecondFactors,
  hasActiveSecondFactor,
  type ActiveSecondFactors,
  activatePendingSecondFactor,
  type SecondFactor,
  findPendingSecondFactor,
  hasSecondFactor,
} from '../../trust/credentials/second-factors.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { requiresSecondFactor } from '../../trust/identity/assurance-levels.ts';
import { resetAuthenticatorFailures } from '../../trust/notices/authenticator-failures.ts';
import type { NoticeName, DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { revokeOtherAccess } from '../../trust/sessions/revoke-other-access.ts';
import { raiseSessionLevel } from '../../trust/sessions/raise-session-level.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { hasFactorBesidesMailbox } from '../../trust/identity/session-level.ts';
import { applyEmailChange } from '../contact-data/index.ts';
import { consumeLinkToken } from '../../trust/credentials/link-tokens.ts';
import {
  verifyStoredMailedCode,
  consumeMailedCode,
  createFactorSetUpCodeBinding,
} from '../../trust/credentials/mailed-codes.ts';
import { challengeNames } from '../../trust/identity/challenge-names.ts';
import { createAccountReadHandler, type HandlerContext } from '../handler-context.ts';

/**
 * Verifies the first mailed code and activates the e-mail method. With the `uuid` of a change of e-mail address, the code also confirms the new
 * address.
 */
export const verifyEmailMethod = createAccountReadHandler<'verifyEmailMethod'>(
  async (
    { citizen, sessionId },
    { params, body, caller, cookies, origin },
    { commands, store, clock, vault, passwords },
  ) => {
    const factor = await findPendingSecondFactor(store.db, citizen.id, 'email', params['method'] ?? '');
    if (factor === null) throw new OperationError(404, 'no_encontrado');
    const uuid = body.uuid || null;
    const binding = createFactorSetUpCodeBinding(factor.id, uuid);
    const wrong = new OperationError(400, 'codigo_incorrecto', { field: 'code' });
    const digest = await verifyStoredMailedCode(store, vault, binding, body.code ?? '', clock.now());
    if (digest === null) throw wrong;
    const changeEmail = async (command: DatabaseCommand, secret: string) => {
      const by = await consumeLinkToken(command.tx, 'email-code', secret, command.now);
      return by?.citizenId === citizen.id ? applyEmailChange(command, { by, caller }) : null;
    };
    const codes = await prepareRecoveryCodes({ store, passwords }, citizen.id);
    return commands.run(origin, async (command) => {
      if (!(await consumeMailedCode(command.tx, binding, digest, command.now))) throw wrong;
      const owner = uuid === null ? citizen : await changeEmail(command, uuid);
      if (owner === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
      const request = { caller, cookies };
      const verified = { factor, method: challengeNames.mailedCode, citizen: owner, sessionId, request };
      return activateSecondFactor(command, codes, verified);
    });
  },
);

interface MethodChange {
  readonly citizen: Citizen;
  readonly sessionId: string;
  /** Action in the audit log, which is also the name of the notice to the citizen. */
  readonly action: NoticeName;
}

/** Applies the change. Returns details for the audit log. */
type ApplyChange = () => Promise<JsonObject>;

/** Generates and hashes the recovery codes for a citizen's first second factor. Returns `null` if the citizen already has a second factor. */
export async function prepareRecoveryCodes(
  { store, passwords }: Pick<HandlerContext, 'store' | 'passwords'>,
  citizenId: string,
): Promise<RecoveryCodes | null> {
  return (await hasSecondFactor(store.db, citizenId)) ? null : generateRecoveryCodes(passwords, citizenId);
}

/**
 * Adds a second factor, ends the account's other sessions, and notifies the citizen. Returns the reply, which contains recovery codes if the factor
 * is the first. Throws a 409 if the factor is the first but `codes` is `null`, because another request removed the previous factors after
 * `prepareRecoveryCodes`.
 */
export async function addSecondFactor(
  command: DatabaseCommand,
  codes: RecoveryCodes | null,
  change: MethodChange & {
    readonly method: string;
    readonly request: Pick<UntypedOperationRequest, 'caller' | 'cookies'>;
  },
  add: ApplyChange,
): Promise<Pick<OperationReply<'verifyTotp'>, 'body' | 'cookies'>> {
  const { tx, now } = command;
  const { citizen, sessionId, method, request } = change;
  const active = await findActiveSecondFactors(tx, citizen.id);
  await assertSessionHasStrongFactor(tx, sessionId, active);
  const isFirst = !hasActiveSecondFactor(active);
  await applyAndNotify(command, change, add);
  const renewed = await raiseSessionLevel(tx, request, { citizen, method, now });
  if (isFirst && codes === null) throw new OperationError(409, 'sin_segundo_factor');
  const codigos = isFirst && codes !== null && (await storeRecoveryCodes(tx, codes, now));
  return { body: { activado: true, ...(codigos && { codigos }) }, ...renewed };
}

/** Removes a second factor. The session must pass `assertSessionHasStrongFactor`, unless the factor is the e-mail method (`isMailed`). */
export async function removeSecondFactor(
  command: DatabaseCommand,
  { isMailed = false, ...change }: MethodChange & { readonly isMailed?: boolean },
  remove: ApplyChange,
): Promise<void> {
  const { tx } = command;
  const active = await findActiveSecondFactors(tx, change.citizen.id);
  if (!isMailed) await assertSessionHasStrongFactor(tx, change.sessionId, active);
  const isLast = countActiveSecondFactors(active) === 1;
  if (isLast && requiresSecondFactor(change.citizen)) throw new OperationError(409, 'segundo_factor_obligatorio');
  await applyAndNotify(command, change, remove);
  if (isLast) await deleteRecoveryCodes(tx, change.citizen.id);
}

async function applyAndNotify(
  { tx, now, audit, notify }: DatabaseCommand,
  { citizen, sessionId, action }: MethodChange,
  applyChange: ApplyChange,
): Promise<void> {
  await notify(action, citizen, { sessionId });
  const details = await applyChange();
  await revokeOtherAccess(tx, citizen.id, now, sessionId);
  await audit(action, citizen.id, details);
}

/**
 * Throws a 403 if the account has an authenticator app or a passkey, but the session was started with a weaker factor, such as a mailed code. An
 * attacker who reads the citizen's mail must neither remove a strong factor nor add another one (NIST SP 800-63B-4, section 4.1.2).
 */
export async function assertSessionHasStrongFactor(tx: Tx, sessionId: string, { totp, passkeys }: ActiveSecondFactors) {
  if (totp === null && passkeys.length === 0) return;
  const session = await tx.selectFrom('broker_sessions').select('amr').where('id', '=', sessionId).executeTakeFirst();
  if (!hasFactorBesidesMailbox(session?.amr.split(' ') ?? [])) throw new OperationError(403, 'factor_insuficiente');
}

export async function activateSecondFactor(
  command: DatabaseCommand,
  codes: RecoveryCodes | null,
  { factor, ...verified }: Omit<Parameters<typeof addSecondFactor>[2], 'action'> & { readonly factor: SecondFactor },
) {
  return addSecondFactor(command, codes, { ...verified, action: 'second-factor-added' }, async () => {
    if (!(await activatePendingSecondFactor(command.tx, factor, command.now)))
      throw new OperationError(404, 'no_encontrado');
    await resetAuthenticatorFailures(command.tx, factor.citizen_id, verified.method);
    return { kind: factor.kind };
  });
}
