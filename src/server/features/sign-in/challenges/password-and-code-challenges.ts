import type { ValidatedForm, ValidatingScreenName } from '../../../../contract/contract.ts';
import type { ValuesByName } from '../../../../engine/core/json.ts';
import { OperationError, addRefusalLogFacts } from '../../../platform/base/errors.ts';
import { toStringOrEmpty, normalizeEmail } from '../../../platform/base/normalize-input.ts';
import type { Tx } from '../../../platform/database/open-store.ts';
import { countAuthenticatorFailure, isAuthenticatorDisabled } from '../../../trust/notices/authenticator-failures.ts';
import {
  type SignInRecord,
  type AttemptedSignInRecord,
  createSignInExpiredError,
  listCompletedChallenges,
} from '../../../trust/sessions/sign-in-record.ts';
import {
  type SignInChallengeDependencies,
  type ChallengeProof,
  type ChallengeVerifier,
  type SignInChallengeRequest,
  hasProvenAnyFactor,
  isSignInOptionSet,
  hasProvenTwoFactorMethod,
  type SignInChallenge,
  lacksSecondFactor,
} from './challenge.ts';
import { challengeNames, getWalletAmr } from '../../../trust/identity/challenge-names.ts';
import { credentialAttemptLimits } from '../../../trust/credentials/index.ts';
import {
  findActiveSecondFactors,
  consumeTotpStep,
  buildTotpVaultPurpose,
  measureTotpSkewS,
  findTotpStep,
} from '../../../trust/credentials/second-factors.ts';
import {
  verifyStoredMailedCode,
  consumeMailedCode,
  findMailedCodeRefusalReason,
  type MailedCodeBinding,
} from '../../../trust/credentials/mailed-codes.ts';
import { resolveMailCause } from '../../../trust/abuse/mail-allowance.ts';
import { canReceiveAgentCode } from '../../../trust/identity/agent-mailboxes.ts';
import { type Citizen, maskEmail } from '../../../trust/identity/citizens.ts';
import { mailVerificationCode, type DatabaseCommand } from '../../../trust/notices/database-commands.ts';
import { findRecoveryCode, consumeRecoveryCode } from '../../../trust/credentials/recovery-codes.ts';

interface SecretCheck<Found, Screen extends ValidatingScreenName> {
  readonly factor: string;
  readonly screen: Screen;
  readonly field: Extract<keyof ValidatedForm<Screen>, string>;
  /** Values that the screen validates. Defaults to all data of the answer. */
  readonly form?: ValuesByName;
  readonly refusalCode: string;
  /** Verifies the typed secret, before the transaction. Returns `null` if the secret is wrong. `citizenId` is empty if there is no account. */
  readonly findSecret: (typed: string, citizenId: string) => Promise<Found | null>;
  readonly explainRefusal?: (typed: string, citizenId: string) => Promise<string | undefined>;
  /** Consumes a found secret, in the transaction that advances the sign-in. Returns `false` if the secret is no longer valid. */
  readonly consumeSecret: (
    tx: Tx,
    found: Found,
    who: { citizenId: string; passwordHash: string | null },
  ) => Promise<boolean>;
  /** Creates the error for a found secret that is no longer valid. Defaults to the error for a wrong secret. */
  readonly createStaleSecretError?: () => OperationError;
}

async function verifyTypedSecret<Found, Screen extends ValidatingScreenName>(
  [dependencies, request, record, count]: Parameters<ChallengeVerifier>,
  {
    factor,
    screen,
    field,
    form = request.body.data_challenge,
    refusalCode,
    findSecret,
    explainRefusal,
    consumeSecret,
    createStaleSecretError = () => new OperationError(400, refusalCode, { field }),
  }: SecretCheck<Found, Screen>,
): Promise<ChallengeProof> {
  const validated: ValuesByName = await dependencies.validateForm(screen, form, request);
  const typed = toStringOrEmpty(validated[field]);
  const citizenId = record.citizen_id ?? '';
  await count();
  const disabled = isAuthenticatorDisabled(record.failed_attempts, factor, record.known_device);
  const found = await findSecret(typed, citizenId);
  if (found === null || disabled) {
    const reason = disabled ? 'disabled' : await explainRefusal?.(typed, citizenId);
    await recordSignInFailure(dependencies, request, record, reason, factor);
    throw addRefusalLogFacts(new OperationError(400, refusalCode, { field }), { reason });
  }
  return {
    factor,
    async applyProof(tx, { passwordHash }) {
      if (!(await consumeSecret(tx, found, { citizenId, passwordHash }))) throw createStaleSecretError();
    },
  };
}

/** Audits and counts a wrong answer in its own transaction, so that the error for the citizen does not roll it back. */
export async function recordSignInFailure(
  { commands }: Pick<SignInChallengeDependencies, 'commands'>,
  { origin }: SignInChallengeRequest,
  { citizen_id, step, known_device: browser = null }: SignInRecord & Partial<AttemptedSignInRecord>,
  reason?: string,
  authenticator?: string,
): Promise<void> {
  const details = { challenge: step, ...(reason !== undefined && { reason }) };
  await commands.run(origin, async (command) => {
    await command.audit('sign-in-failed', citizen_id, details);
    if (authenticator !== undefined)
      await countAuthenticatorFailure(command, { citizenId: citizen_id, authenticator, browser });
  });
}

/**
 * The account's password. The response and timing are the same for an unknown account. The transaction checks that the hash has not changed since the
 * verification.
 */
export const passwordChallenge: SignInChallenge = {
  name: challengeNames.password,
  isNeeded: ({ record }) =>
    !hasProvenTwoFactorMethod(record) && !hasProvenAnyFactor(record, [challengeNames.password, getWalletAmr(1)]), // a wallet of level 1 counts as one factor, like the password
  answer: {
    limit: credentialAttemptLimits.signIn,
    /** Clients request a mailed code in place of an authenticator app's code by an answer to the password step (specification, section 4.5). */
    listAnsweredChallenges: ({ emailTOTP }) => (emailTOTP === true ? [challengeNames.totp] : []),
    /**
     * An answer with a password goes back to this step. A request for a mailed code does not, although clients send it under the same challenge name.
     */
    isReturn: (data) => 'password' in data && data['emailTOTP'] !== true,
    async verifyAnswer(...asked) {
      const [{ passwords }, request, record] = asked;
      const { emailTOTP, emailAgent, ...form } = request.body.data_challenge;
      const proof = await verifyTypedSecret(asked, {
        factor: challengeNames.password,
        screen: 'login-contrasena',
        field: 'password',
        form,
        refusalCode: 'credenciales',
        async findSecret(typed) {
          const stored = record.password_hash;
          return (await passwords.verify(stored, typed)) ? { stored } : null;
        },
        consumeSecret: async (_tx, { stored }, { passwordHash }) => passwordHash === stored,
        createStaleSecretError: createSignInExpiredError,
      });
      return { ...proof, byMail: emailTOTP === true, asAgent: isSignInOptionSet(emailAgent) };
    },
  },
};

/** A code of the authenticator app, a recovery code, or a request for a mailed code if that method is set up. */
export const totpChallenge: SignInChallenge = {
  name: challengeNames.totp,
  isNeeded: (state) => lacksSecondFactor(state) && state.active.totp !== null && !(state.byMail && state.mailedCode),
  offer: { prepare: async (_command, _needs, { mailedCode }) => ({ other: mailedCode }) },
  answer: {
    limit: credentialAttemptLimits.secondFactor,
    /** Clients send a recovery code under the name of the authenticator app's step, even if the second factor is a mailed code or a passkey. */
    listAnsweredChallenges: (data) =>
      'recovery' in data ? [challengeNames.mailedCode, challengeNames.passkey, challengeNames.otherFactor] : [],
    async verifyAnswer(dependencies, request, record, count) {
      const data = request.body.data_challenge;
      if (data['emailTOTP'] === true) return { factor: null, byMail: true, applyProof: async () => {} };
      return 'recovery' in data
        ? verifyRecoveryCode(dependencies, request, record, count)
        : verifyTotpCode(dependencies, request, record, count);
    },
  },
};

const verifyTotpCode: ChallengeVerifier = (...asked) => {
  const [{ store, clock, vault }] = asked;
  const findApp = async (citizenId: string) => {
    const { totp: app } = await findActiveSecondFactors(store.db, citizenId);
    return app?.secret == null ? null : { ...app, secret: vault.decrypt(buildTotpVaultPurpose(app.id), app.secret) };
  };
  return verifyTypedSecret(asked, {
    factor: challengeNames.totp,
    screen: 'login-totp',
    field: 'totp',
    refusalCode: 'codigo_incorrecto',
    async findSecret(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return null;
      const step = findTotpStep(app.secret, code, clock.now());
      return step === null || (app.last_step !== null && step <= app.last_step) ? null : { id: app.id, step };
    },
    async explainRefusal(code, citizenId) {
      const app = await findApp(citizenId);
      if (app === null) return undefined;
      if (findTotpStep(app.secret, code, clock.now()) !== null) return 'used';
      const skewS = measureTotpSkewS(app.secret, code, clock.now());
      return skewS === null ? 'wrong' : `clock-skew ${skewS} s`;
    },
    consumeSecret: (tx, { id, step }) => consumeTotpStep(tx, id, step),
  });
};

/** The agent's e-mail address at a registered institution. It proves nothing until the agent enters the code that is mailed to it. */
export const institutionalEmailChallenge: SignInChallenge = {
  name: challengeNames.institutionalEmail,
  isNeeded: ({ record }) => record.agent === '1' && record.institutional_email === null,
  answer: {
    async verifyAnswer(dependencies, request) {
      const data = request.body.data_challenge;
      const form = await dependencies.validateForm('login-institutional-email', data, request);
      const email = normalizeEmail(form.institutional_email ?? '');
      const domain = email.slice(email.lastIndexOf('@') + 1);
      if (!dependencies.config.agentDomains.includes(domain))
        throw new OperationError(400, 'dominio_no_registrado', { field: 'institutional_email' });
      return { factor: null, institutionalEmail: email, applyProof: async () => {} };
    },
  },
};

/** Verifies one of the ten recovery codes, which replace an unavailable app or mailbox. */
export const verifyRecoveryCode: ChallengeVerifier = (...asked) => {
  const [{ store, clock, passwords }] = asked;
  return verifyTypedSecret(asked, {
    factor: challengeNames.recoveryCode,
    screen: 'login-recovery',
    field: 'recovery',
    refusalCode: 'codigo_incorrecto',
    findSecret: (code, citizenId) => findRecoveryCode(store.db, passwords, citizenId, code),
    consumeSecret: (tx, digest, { citizenId }) => consumeRecoveryCode(tx, citizenId, digest, clock.now()),
  });
};

/** The code mailed for this step of this sign-in, or a recovery code if the step is a second factor. */
export const mailedCodeChallenge: SignInChallenge = {
  name: challengeNames.mailedCode,
  isNeeded: (state) => lacksSecondFactor(state) && state.mailedCode,
  offer: {
    limit: credentialAttemptLimits.mailedCode,
    async prepare(command, dependencies, { record, citizen, device }) {
      await mailSignInCode(command, dependencies, { record, citizen, device });
      // `forced`: the code is required because the account is an agent's, not because the citizen set up mailed codes.
      return { email: maskEmail(selectCodeRecipient(record, citizen)), forced: isAgentMailboxStep(record) };
    },
  },
  answer: {
    limit: credentialAttemptLimits.secondFactor,
    async verifyAnswer(...asked) {
      const [, request, record] = asked;
      const isRecovery = 'recovery' in request.body.data_challenge && !isAgentMailboxStep(record);
      return isRecovery ? verifyRecoveryCode(...asked) : verifyMailedCode(...asked);
    },
  },
};

export const institutionalCodeChallenge: SignInChallenge = {
  ...mailedCodeChallenge,
  isNeeded: ({ record }) => isAgentMailboxStep(record),
};

const verifyMailedCode: ChallengeVerifier = (...asked) => {
  const [{ store, clock, vault }, , record] = asked;
  const binding = createCodeBinding(record);
  return verifyTypedSecret(asked, {
    factor: isAgentMailboxStep(record) ? challengeNames.institutionalEmail : challengeNames.mailedCode,
    screen: 'login-recoverycode',
    field: 'recoverycode',
    refusalCode: 'codigo_incorrecto',
    findSecret: (code) => verifyStoredMailedCode(store, vault, binding, code, clock.now()),
    explainRefusal: () => findMailedCodeRefusalReason(store, binding, clock.now()),
    consumeSecret: (tx, digest) => consumeMailedCode(tx, binding, digest, clock.now()),
  });
};

/**
 * Mails the code of a step. A mailbox that is not bound to the agent's account gets no code, but the response is the same, so that it does not reveal
 * the bound mailbox.
 */
export async function mailSignInCode(
  command: DatabaseCommand,
  { vault, config }: Pick<SignInChallengeDependencies, 'vault' | 'config'>,
  { record, citizen, device }: { record: SignInRecord; citizen: Citizen; device: string | null },
): Promise<void> {
  const mailbox = selectCodeRecipient(record, citizen);
  const isRefused =
    isAgentMailboxStep(record) && !(await canReceiveAgentCode(command.tx, config, { citizenId: citizen.id, mailbox }));
  if (isRefused) await command.audit('sign-in-refused', citizen.id, { reason: 'agent-mailbox-not-bound', mailbox });
  // On a loopback server, an agent may use a mailbox that is not bound to the account. Therefore, agents get no extra mail allowance for a known
  // browser there.
  const cause = resolveMailCause(isAgentMailboxStep(record) && config.loopback ? null : device, 'password');
  const to = { citizen, recipient: isRefused ? null : mailbox, cause };
  await mailVerificationCode(command, vault, { ...createCodeBinding(record), ...to });
}

/**
 * Returns the e-mail address for the code of a step: the agent's institutional address, or the citizen's verified address. Throws if the citizen
 * has none, because the account was registered at a counter, or because an unverified address may belong to somebody else.
 */
export function selectCodeRecipient(record: SignInRecord, { email, email_verified_at: verifiedAt }: Citizen): string {
  if (isAgentMailboxStep(record)) return record.institutional_email ?? '';
  if (email === null || verifiedAt === null) throw new OperationError(409, 'sin_correo');
  return email;
}

/** Whether the code of this step proves an agent's institutional mailbox, which is not a second factor of the citizen. */
function isAgentMailboxStep(record: SignInRecord): boolean {
  return (
    record.institutional_email !== null && !listCompletedChallenges(record).includes(challengeNames.institutionalEmail)
  );
}

function createCodeBinding(record: SignInRecord): MailedCodeBinding {
  return { purpose: isAgentMailboxStep(record) ? 'institutional-email' : 'sign-in', owner: record.hash };
}
