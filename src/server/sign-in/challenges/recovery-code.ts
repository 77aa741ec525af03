import { mailCode } from '../../notices/code-mail.ts';
import type { Command } from '../../notices/commands.ts';
import type { Vault } from '../../keys/vault.ts';
import { CallError } from '../../base/errors.ts';
import type { Citizen } from '../../identity/citizens.ts';
import { tryCode, useCode, type CodeBinding } from '../../credentials/mailed-codes.ts';
import { factorsOf, type ChallengeRecord } from '../../sessions/challenge-record.ts';
import { checkForm } from './check-form.ts';
import { challengeNames } from '../../identity/names.ts';
import { noteFailure, type Prove } from './proof.ts';
import { proveRecovery } from './recovery.ts';

/** The code that was mailed for this very step of this very sign-in, or a recovery code where it stands for a second factor. */
export const proveRecoveryCode: Prove = (needs, request, record) => {
  const isRecovery = 'recovery' in request.body.data_challenge && !isForAgent(record);
  return isRecovery ? proveRecovery(needs, request, record) : proveMailedCode(needs, request, record);
};

const proveMailedCode: Prove = async (needs, request, record) => {
  const { store, clock, throttle, vault } = needs;
  const code = String(
    checkForm(needs, 'login-recoverycode', request.body.data_challenge, request.origin.language)['recoverycode'],
  );
  const counted = { address: request.origin.address, document: record.document };
  await throttle.admit('secondFactor', counted, clock.now());
  const binding = bindingOf(record);
  const digest = await tryCode(store, vault, binding, code, clock.now());
  const wrong = new CallError(400, 'codigo_incorrecto', { field: 'recoverycode' });
  if (digest === null) {
    await noteFailure(needs, request, record);
    throw wrong;
  }
  await throttle.forgive('secondFactor', counted);
  return {
    factor: isForAgent(record) ? challengeNames.institutionalEmail : challengeNames.recoveryCode,
    async settle(tx) {
      if (!(await useCode(tx, binding, digest, clock.now()))) throw wrong;
    },
  };
};

/** Mails a new code for the step, in the transaction that leads to it; the one before is void. Throws where there is no mailbox. */
export function mailStepCode(command: Command, vault: Vault, record: ChallengeRecord, citizen: Citizen): Promise<void> {
  return mailCode(command, vault, { ...bindingOf(record), citizen, recipient: mailboxOf(record, citizen) });
}

/** Where the step's code goes: an agent's institution, or the citizen's own address once that was verified. */
export function mailboxOf(record: ChallengeRecord, citizen: Citizen): string {
  if (isForAgent(record)) return record.institutional_email ?? '';
  if (citizen.email === null || citizen.email_verified_at === null) throw new CallError(409, 'sin_correo');
  return citizen.email;
}

/** Whether the code proves an institutional mailbox: demanded of the agent, and no second factor of the citizen. */
export function isForAgent(record: ChallengeRecord): boolean {
  return record.institutional_email !== null && !factorsOf(record).includes(challengeNames.institutionalEmail);
}

function bindingOf(record: ChallengeRecord): CodeBinding {
  return { purpose: isForAgent(record) ? 'institutional-email' : 'sign-in', owner: record.hash };
}
