import { OperationError } from '../../../platform/base/errors.ts';
import { tryCode, useCode, whyRefused, type CodeBinding } from '../../../trust/credentials/mailed-codes.ts';
import { causeFrom } from '../../../trust/abuse/mail-allowance.ts';
import { mayReceiveCode } from '../../../trust/identity/agent-mailboxes.ts';
import { type Citizen, maskEmail } from '../../../trust/identity/citizens.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import { mailCode } from '../../../trust/notices/code-mail.ts';
import type { Command } from '../../../trust/notices/commands.ts';
import { listFactors, type ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import { lacksSecondFactor, type Challenge, type ChallengeDependencies, type Prove } from './challenge.ts';
import { proveBySecret } from './prove-by-secret.ts';
import { limits } from '../../../trust/credentials/index.ts';
import { findRecoveryCode, useRecoveryCode } from '../../../trust/credentials/recovery-codes.ts';
import { readEmail } from '../../../platform/base/read-text.ts';

/** The agent's address at a registered institution. It proves nothing until the code mailed there is entered. */
export const institutionalEmail: Challenge = {
  name: challengeNames.institutionalEmail,
  due: ({ record }) => record.agent === '1' && record.institutional_email === null,
  answer: {
    async prove(dependencies, request) {
      const { institutional_email: named = '' } = await dependencies.validateForm(
        'login-institutional-email',
        request.body.data_challenge,
        request,
      );
      const email = readEmail(named);
      const domain = email.slice(email.lastIndexOf('@') + 1);
      if (!dependencies.config.agentDomains.includes(domain)) {
        throw new OperationError(400, 'dominio_no_registrado', { field: 'institutional_email' });
      }
      return { factor: null, institutionalEmail: email, settle: async () => {} };
    },
  },
};

/** Verifies one of the ten codes that the citizen keeps in case the app or the mailbox is unavailable. */
export const proveRecovery: Prove = (...asked) => {
  const [{ store, clock, passwords }] = asked;
  return proveBySecret(asked, {
    factor: challengeNames.backupCode,
    screen: 'login-recovery',
    field: 'recovery',
    wrong: 'codigo_incorrecto',
    find: (code, citizenId) => findRecoveryCode(store.db, passwords, citizenId, code),
    use: (tx, digest, { citizenId }) => useRecoveryCode(tx, citizenId, digest, clock.now()),
  });
};

/** The code mailed for this step of this sign-in, or a recovery code if the step is a second factor. */
export const recoveryCode: Challenge = {
  name: challengeNames.recoveryCode,
  due: (situation) => lacksSecondFactor(situation) && situation.mailedCode,
  offer: {
    limit: limits.mailedCode,
    async prepare(command, dependencies, { record, citizen, device }) {
      await mailStepCode(command, dependencies, { record, citizen, device });
      // A code is forced if the citizen did not choose it as a second factor.
      return { email: maskEmail(selectMailbox(record, citizen)), forced: isForAgent(record) };
    },
  },
  answer: {
    limit: limits.secondFactor,
    async prove(...asked) {
      const [, request, record] = asked;
      const isRecovery = 'recovery' in request.body.data_challenge && !isForAgent(record);
      return isRecovery ? proveRecovery(...asked) : proveMailedCode(...asked);
    },
  },
};

/** The same step for the institutional address of an agent, before any second factor. */
export const institutionalCode: Challenge = { ...recoveryCode, due: ({ record }) => isForAgent(record) };

const proveMailedCode: Prove = (...asked) => {
  const [{ store, clock, vault }, , record] = asked;
  const binding = bindCode(record);
  return proveBySecret(asked, {
    factor: isForAgent(record) ? challengeNames.institutionalEmail : challengeNames.recoveryCode,
    screen: 'login-recoverycode',
    field: 'recoverycode',
    wrong: 'codigo_incorrecto',
    find: (code) => tryCode(store, vault, binding, code, clock.now()),
    why: () => whyRefused(store, binding, clock.now()),
    use: (tx, digest) => useCode(tx, binding, digest, clock.now()),
  });
};

/**
 * Mails a new code for the step, in the transaction that advances to it, and voids the previous one. Throws if there is no mailbox. An institutional
 * mailbox that is not bound to the account gets no code. The response is the same, so that nobody learns which mailbox is bound.
 */
export async function mailStepCode(
  command: Command,
  { vault, config }: Pick<ChallengeDependencies, 'vault' | 'config'>,
  { record, citizen, device }: { record: ChallengeRecord; citizen: Citizen; device: string | null },
): Promise<void> {
  const mailbox = selectMailbox(record, citizen);
  const isRefused =
    isForAgent(record) && !(await mayReceiveCode(command.tx, config, { citizenId: citizen.id, mailbox }));
  if (isRefused) await command.audit('sign-in-refused', citizen.id, { reason: 'agent-mailbox-not-bound', mailbox });
  // On a loopback server, an agent may use a mailbox that is not bound to the account. So a known browser gets no separate mail allowance.
  const cause = causeFrom(isForAgent(record) && config.loopback ? null : device, 'password');
  await mailCode(command, vault, { ...bindCode(record), citizen, recipient: isRefused ? null : mailbox, cause });
}

/** Returns the recipient of the step's code: the agent's institutional address, or the citizen's own verified address. */
export function selectMailbox(record: ChallengeRecord, citizen: Citizen): string {
  if (isForAgent(record)) return record.institutional_email ?? '';
  if (!hasMailbox(citizen)) throw new OperationError(409, 'sin_correo');
  return citizen.email;
}

/** Whether a code can be mailed to a citizen. An account from a counter may have no address. An unverified one may belong to somebody else. */
function hasMailbox(citizen: Citizen): citizen is Citizen & { readonly email: string } {
  return citizen.email !== null && citizen.email_verified_at !== null;
}

/** Whether the code proves an agent's institutional mailbox. It is required of agents, and not a second factor of the citizen. */
function isForAgent(record: ChallengeRecord): boolean {
  return record.institutional_email !== null && !listFactors(record).includes(challengeNames.institutionalEmail);
}

function bindCode(record: ChallengeRecord): CodeBinding {
  return { purpose: isForAgent(record) ? 'institutional-email' : 'sign-in', owner: record.hash };
}
