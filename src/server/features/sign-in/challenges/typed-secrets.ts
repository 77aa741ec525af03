import type { ValidatedForm, ValidatingScreen } from '../../../../contract/contract.ts';
import type { Values } from '../../../../engine/core/json.ts';
import { OperationError, addLogFacts } from '../../../platform/base/errors.ts';
import { readText, readEmail } from '../../../platform/base/read-text.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import { countFailure, isAuthenticatorDisabled } from '../../../trust/notices/failed-attempts.ts';
import {
  type ChallengeRecord,
  type AttemptedChallenge,
  createSignInExpiredError,
  listFactors,
} from '../../../trust/sessions/challenge-record.ts';
import {
  type ChallengeDependencies,
  type Proof,
  type VerifyProof,
  type ChallengeRequest,
  hasProvenAny,
  isOptionSet,
  hasTwoFactorMethod,
  type Challenge,
  lacksSecondFactor,
} from './challenge.ts';
import { challengeNames, getWalletMethod } from '../../../trust/identity/challenge-names.ts';
import { credentialLimits } from '../../../trust/credentials/index.ts';
import {
  findActiveFactors,
  consumeTotpStep,
  totpPurpose,
  measureTotpSkewS,
  findTotpStep,
} from '../../../trust/credentials/second-factors.ts';
import {
  verifyCode,
  consumeCode,
  findRefusalReason,
  type CodeBinding,
} from '../../../trust/credentials/mailed-codes.ts';
import { resolveMailCause } from '../../../trust/abuse/mail-allowance.ts';
import { canReceiveCode } from '../../../trust/identity/agent-mailboxes.ts';
import { type Citizen, maskEmail } from '../../../trust/identity/citizens.ts';
import { mailCode, type Command } from '../../../trust/notices/commands.ts';
import { findRecoveryCode, consumeRecoveryCode } from '../../../trust/credentials/recovery-codes.ts';

interface SecretCheck<Found, Screen extends ValidatingScreen> {
  readonly factor: string;
  readonly screen: Screen;
  readonly field: Extract<keyof ValidatedForm<Screen>, string>;
  /** Values that the screen validates. Defaults to all data of the answer. */
  readonly form?: Values;
  readonly wrong: string;
  /** Verifies the typed secret, before the transaction. Returns `null` if the secret is wrong. `citizenId` is empty if there is no account. */
  readonly find: (typed: string, citizenId: string) => Promise<Found | null>;
  readonly why?: (typed: string, citizenId: string) => Promise<string | undefined>;
  /** Consumes the result of `find`, in the transaction that advances the sign-in. Returns `false` if the result is no longer valid. */
  readonly use: (tx: Tx, found: Found, who: { citizenId: string; passwordHash: string | null }) => Promise<boolean>;
  /** Creates the error for a result of `find` that is no longer valid. Defaults to the error for a wrong secret. */
  readonly createLateError?: () => OperationError;
}

async function proveBySecret<Found, Screen extends ValidatingScreen>(
  [dependencies, request, record, count]: Parameters<VerifyProof>,
  {
    factor,
    screen,
    field,
    form = request.body.data_challenge,
    wrong,
    find,
    why,
    use,
    createLateError,
  }: SecretCheck<Found, Screen>,
): Promise<Proof> {
  const createRefusal = () => new OperationError(400, wrong, { field });
  const validated: Values = await dependencies.validateForm(screen, form, request);
  const typed = readText(validated[field]);
  const citizenId = record.citizen_id ?? '';
  await count();
  const disabled = isAuthenticatorDisabled(record.failed_attempts, factor, record.known_device);
  const found = await find(typed, citizenId);
  if (found === null || disabled) {
    const reason = disabled ? 'disabled' : await why?.(typed, citizenId);
    await recordFailure(dependencies, request, record, reason, factor);
    throw addLogFacts(createRefusal(), { reason });
  }
  return {
    factor,
    async applyProof(tx, { passwordHash }) {
      if (!(await use(tx, found, { citizenId, passwordHash }))) throw (createLateError ?? createRefusal)();
    },
  };
}

/** Audits and counts a wrong answer in its own transaction, so that the error for the citizen does not roll it back. */
export async function recordFailure(
  { commands }: Pick<ChallengeDependencies, 'commands'>,
  { origin }: ChallengeRequest,
  { citizen_id, step, known_device: browser = null }: ChallengeRecord & Partial<AttemptedChallenge>,
  reason?: string,
  authenticator?: string,
): Promise<void> {
  const details = { challenge: step, ...(reason !== undefined && { reason }) };
  await commands.run(origin, async (command) => {
    await command.audit('sign-in-failed', citizen_id, details);
    if (authenticator !== undefined) await countFailure(command, { citizenId: citizen_id, authenticator, browser });
  });
}

/**
 * The password. The response and the timing are the same for an unknown account. The transaction that advances the sign-in checks that the stored
 * hash has not changed since the verification.
 */
export const passwordChallenge: Challenge = {
  name: challengeNames.password,
  isDue: ({ record }) =>
    !hasTwoFactorMethod(record) && !hasProvenAny(record, [challengeNames.password, getWalletMethod(1)]), // a wallet of level 1 counts as one factor, like the password
  answer: {
    limit: credentialLimits.signIn,
    /** Clients request a mailed code instead of a code of the authenticator app under the name of the password step (section 4.5). */
    standsFor: ({ emailTOTP }) => (emailTOTP === true ? [challengeNames.totp] : []),
    /**
     * Only a password returns the sign-in to this step, not another request under the step's name. A citizen who goes back must enter the password
     * again.
     */
    goesBack: (data) => 'password' in data && data['emailTOTP'] !== true,
    async prove(...asked) {
      const [{ passwords }, request, record] = asked;
      const { emailTOTP, emailAgent, ...form } = request.body.data_challenge;
      const proof = await proveBySecret(asked, {
        factor: challengeNames.password,
        screen: 'login-contrasena',
        field: 'password',
        form,
        wrong: 'credenciales',
        async find(typed) {
          const stored = record.password_hash;
          return (await passwords.verify(stored, typed)) ? { stored } : null;
        },
        use: async (_tx, { stored }, { passwordHash }) => passwordHash === stored,
        createLateError: createSignInExpiredError,
      });
      return { ...proof, byMail: emailTOTP === true, asAgent: isOptionSet(emailAgent) };
    },
  },
};

/** A code of the authenticator app, a recovery code, or a request for a mailed code if that method is set up. */
export const totpChallenge: Challenge = {
  name: challengeNames.totp,
  isDue: (state) => lacksSecondFactor(state) && state.active.totp !== null && !(state.byMail && state.mailedCode),
  offer: { prepare: async (_command, _needs, { mailedCode }) => ({ other: mailedCode }) },
  answer: {
    limit: credentialLimits.secondFactor,
    /** Clients send a recovery code under the name of the authenticator app's step, even if the second factor is a mailed code or a passkey. */
    standsFor: (data) =>
      'recovery' in data ? [challengeNames.mailedCode, challengeNames.passkey, challengeNames.otherFactor] : [],
    async prove(dependencies, request, record, count) {
      const data = request.body.data_challenge;
      if (data['emailTOTP'] === true) return { factor: null, byMail: true, applyProof: async () => {} };
      return 'recovery' in data
        ? proveRecoveryCode(dependencies, request, record, count)
        : proveTotp(dependencies, request, record, count);
    },
  },
};

const proveTotp: VerifyProof = (...asked) => {
  const [{ store, clock, vault }] = asked;
  const findApp = async (citizenId: string) => {
    const { totp: app } = await findActiveFactors(store.db, citizenId);
    return app?.secret == null ? null : { ...app, secret: vault.open(totpPurpose(app.id), app.secret) };
  };
  return proveBySecret(asked, {
    factor: challengeNames.totp,
    screen: 'login-totp',
    field: 'totp',
    wrong: 'codigo_incorrecto',
    async find(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return null;
      const step = findTotpStep(app.secret, code, clock.now());
      return step === null || (app.last_step !== null && step <= app.last_step) ? null : { id: app.id, step };
    },
    async why(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return undefined;
      if (findTotpStep(app.secret, code, clock.now()) !== null) return 'used';
      const skewS = measureTotpSkewS(app.secret, code, clock.now());
      return skewS === null ? 'wrong' : `clock-skew ${skewS} s`;
    },
    use: (tx, { id, step }) => consumeTotpStep(tx, id, step),
  });
};

/** The agent's e-mail address at a registered institution. It proves nothing until the agent enters the code that is mailed to it. */
export const institutionalEmailChallenge: Challenge = {
  name: challengeNames.institutionalEmail,
  isDue: ({ record }) => record.agent === '1' && record.institutional_email === null,
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
      return { factor: null, institutionalEmail: email, applyProof: async () => {} };
    },
  },
};

/** Verifies one of the ten recovery codes, which replace an unavailable app or mailbox. */
export const proveRecoveryCode: VerifyProof = (...asked) => {
  const [{ store, clock, passwords }] = asked;
  return proveBySecret(asked, {
    factor: challengeNames.recoveryCode,
    screen: 'login-recovery',
    field: 'recovery',
    wrong: 'codigo_incorrecto',
    find: (code, citizenId) => findRecoveryCode(store.db, passwords, citizenId, code),
    use: (tx, digest, { citizenId }) => consumeRecoveryCode(tx, citizenId, digest, clock.now()),
  });
};

/** The code mailed for this step of this sign-in, or a recovery code if the step is a second factor. */
export const mailedCodeChallenge: Challenge = {
  name: challengeNames.mailedCode,
  isDue: (state) => lacksSecondFactor(state) && state.mailedCode,
  offer: {
    limit: credentialLimits.mailedCode,
    async prepare(command, dependencies, { record, citizen, device }) {
      await mailStepCode(command, dependencies, { record, citizen, device });
      // `forced` is whether the code is required of every agent, so that it is not a second factor that the citizen chose.
      return { email: maskEmail(selectMailbox(record, citizen)), forced: isAgentMailboxStep(record) };
    },
  },
  answer: {
    limit: credentialLimits.secondFactor,
    async prove(...asked) {
      const [, request, record] = asked;
      const isRecovery = 'recovery' in request.body.data_challenge && !isAgentMailboxStep(record);
      return isRecovery ? proveRecoveryCode(...asked) : proveMailedCode(...asked);
    },
  },
};

/** The code mailed to the institutional address of an agent, before any second factor. */
export const institutionalCodeChallenge: Challenge = {
  ...mailedCodeChallenge,
  isDue: ({ record }) => isAgentMailboxStep(record),
};

const proveMailedCode: VerifyProof = (...asked) => {
  const [{ store, clock, vault }, , record] = asked;
  const binding = createCodeBinding(record);
  return proveBySecret(asked, {
    factor: isAgentMailboxStep(record) ? challengeNames.institutionalEmail : challengeNames.mailedCode,
    screen: 'login-recoverycode',
    field: 'recoverycode',
    wrong: 'codigo_incorrecto',
    find: (code) => verifyCode(store, vault, binding, code, clock.now()),
    why: () => findRefusalReason(store, binding, clock.now()),
    use: (tx, digest) => consumeCode(tx, binding, digest, clock.now()),
  });
};

/**
 * Mails a new code for a step of a sign-in, and voids the previous code. Throws if the citizen has no verified e-mail address. Mails no code to an
 * institutional mailbox that is not bound to the account, but gives the same response, so that it does not reveal which mailbox is bound.
 */
export async function mailStepCode(
  command: Command,
  { vault, config }: Pick<ChallengeDependencies, 'vault' | 'config'>,
  { record, citizen, device }: { record: ChallengeRecord; citizen: Citizen; device: string | null },
): Promise<void> {
  const mailbox = selectMailbox(record, citizen);
  const isRefused =
    isAgentMailboxStep(record) && !(await canReceiveCode(command.tx, config, { citizenId: citizen.id, mailbox }));
  if (isRefused) await command.audit('sign-in-refused', citizen.id, { reason: 'agent-mailbox-not-bound', mailbox });
  // On a loopback server, an agent may use a mailbox that is not bound to the account. Therefore, agents get no extra mail allowance for a known
  // browser there.
  const cause = resolveMailCause(isAgentMailboxStep(record) && config.loopback ? null : device, 'password');
  await mailCode(command, vault, {
    ...createCodeBinding(record),
    citizen,
    recipient: isRefused ? null : mailbox,
    cause,
  });
}

/**
 * Returns the e-mail address for the code of a step: the agent's institutional address, or the citizen's verified address. Throws if the citizen
 * has none.
 */
export function selectMailbox(record: ChallengeRecord, citizen: Citizen): string {
  if (isAgentMailboxStep(record)) return record.institutional_email ?? '';
  if (!hasMailbox(citizen)) throw new OperationError(409, 'sin_correo');
  return citizen.email;
}

/**
 * Whether a code can be mailed to a citizen. An account that was registered at a counter may have no e-mail address. An unverified address may
 * belong to somebody else.
 */
function hasMailbox(citizen: Citizen): citizen is Citizen & { readonly email: string } {
  return citizen.email !== null && citizen.email_verified_at !== null;
}

/** Whether the code of this step proves an agent's institutional mailbox, which is not a second factor of the citizen. */
function isAgentMailboxStep(record: ChallengeRecord): boolean {
  return record.institutional_email !== null && !listFactors(record).includes(challengeNames.institutionalEmail);
}

function createCodeBinding(record: ChallengeRecord): CodeBinding {
  return { purpose: isAgentMailboxStep(record) ? 'institutional-email' : 'sign-in', owner: record.hash };
}
