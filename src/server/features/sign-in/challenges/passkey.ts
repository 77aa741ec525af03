import { toStringOrEmpty } from '../../../platform/base/normalize-input.ts';
import { challengeNames } from '../../../trust/identity/challenge-names.ts';
import {
  hasSecondFactorCodeMethod,
  lacksSecondFactor,
  type SignInChallenge,
  type SignInState,
  type SignInChallengeDependencies,
  type SignInChallengeOptions,
  type ChallengeProof,
  type SignInChallengeRequest,
  startSignInWithChallenge,
} from './challenge.ts';
import { verifyRecoveryCode, recordSignInFailure } from './password-and-code-challenges.ts';
import { credentialAttemptLimits } from '../../../trust/credentials/index.ts';
import { OperationError } from '../../../platform/base/errors.ts';
import {
  verifyPasskeyAssertion,
  parsePasskeyAssertion,
  generatePasskeyRequestOptions,
  type PasskeyAssertion,
  storeWebAuthnChallenge,
  consumeWebAuthnChallenge,
  type WebAuthnChallengeBinding,
} from '../../../trust/credentials/webauthn-ceremonies.ts';
import {
  findPasskey,
  hasValidPasskeyMac,
  isPasskeyCounterRegressed,
  recordPasskeyUse,
  type Passkey,
} from '../../../trust/credentials/passkeys.ts';
import type { DatabaseStore } from '../../../platform/database/open-store.ts';
import type { SignInRecord } from '../../../trust/sessions/sign-in-record.ts';
import { formatDocumentId } from '../../../platform/base/identity-document.ts';
import { findCitizen } from '../../../trust/identity/citizens.ts';
import { hashSecret } from '../../../platform/keys/random-secrets.ts';

/** A passkey as the only method. It counts as two factors, because the authenticator must verify the user (PIN, fingerprint, face). */
export const passkeySignInChallenge = {
  name: challengeNames.passkeySignIn,
  async open(dependencies, request, count) {
    await count();
    const opened = await startSignInWithChallenge(dependencies, request, challengeNames.passkeySignIn);
    const binding = { owner: hashSecret(opened.token), allowed: null };
    return { ...opened, options: await createPasskeyRequestOptions(dependencies.store.db, dependencies, binding) };
  },
  answer: {
    limit: credentialAttemptLimits.passkey,
    async verifyAnswer(dependencies, request, record, count) {
      await count();
      const form = request.body.data_challenge;
      const { credential } = await dependencies.validateForm('login-llave-ingreso', form, request);
      const used = { answer: toStringOrEmpty(credential), purpose: 'sign-in' } as const;
      const { proof, passkey } = await verifyPasskeyUse(dependencies, request, record, used);
      const citizen = await findCitizen(dependencies.store.db, passkey.citizen_id);
      if (citizen === null) throw createPasskeyRefusal();
      return { ...proof, citizen: { id: citizen.id, document: formatDocumentId(citizen) } };
    },
  },
} satisfies SignInChallenge;

/** A passkey as the second factor. The answer is an assertion, a recovery code, or a request for another method or for new options. */
export const passkeySecondFactorChallenge: SignInChallenge = {
  name: challengeNames.passkey,
  isNeeded: (state) => lacksSecondFactor(state) && isPasskeyDue(state),
  offer: {
    async prepare({ tx }, dependencies, { record, active, mailedCode }) {
      return {
        options: await createPasskeyRequestOptions(tx, dependencies, { owner: record.hash, allowed: active.passkeys }),
        other: hasSecondFactorCodeMethod({ active, mailedCode }),
      };
    },
  },
  answer: {
    limit: credentialAttemptLimits.secondFactor,
    async verifyAnswer(dependencies, request, record, count) {
      const { options, other, ...form } = request.body.data_challenge;
      if (options === true || other === true)
        return { factor: null, otherMethod: other === true, applyProof: async () => {} };
      if ('recovery' in form) return verifyRecoveryCode(dependencies, request, record, count);
      await count();
      const { credential } = await dependencies.validateForm('login-llave', form, request);
      const used = { answer: toStringOrEmpty(credential), purpose: 'second-factor' } as const;
      return (await verifyPasskeyUse(dependencies, request, record, used)).proof;
    },
  },
};

/** Whether the next challenge is a passkey. A citizen with only passkeys cannot request another method. */
function isPasskeyDue({ active, mailedCode, byMail, otherMethod }: SignInState): boolean {
  return active.passkeys.length > 0 && !((byMail || otherMethod) && hasSecondFactorCodeMethod({ active, mailedCode }));
}

/** Creates new WebAuthn options for the current step of a sign-in. Voids earlier options. */
export async function createPasskeyRequestOptions(
  db: DatabaseStore['db'],
  { config, clock }: Pick<SignInChallengeDependencies, 'config' | 'clock'>,
  { owner, allowed }: { owner: string; allowed: readonly Passkey[] | null },
): Promise<SignInChallengeOptions> {
  const userVerification = allowed === null ? 'required' : 'preferred';
  const options = await generatePasskeyRequestOptions(config, { allowed: allowed ?? [], userVerification });
  const purpose = allowed === null ? 'sign-in' : 'second-factor';
  await storeWebAuthnChallenge(db, { purpose, owner }, options.challenge, clock.now());
  return { ...options };
}

/** All failures throw the same error, and are audited for the owner of the passkey. */
async function verifyPasskeyUse(
  dependencies: SignInChallengeDependencies,
  request: SignInChallengeRequest,
  record: SignInRecord,
  { answer, purpose }: { answer: string; purpose: WebAuthnChallengeBinding['purpose'] },
): Promise<{ proof: ChallengeProof; passkey: Passkey }> {
  const { commands, store, clock, config, vault } = dependencies;
  const isOwn = await consumeWebAuthnChallenge(store, { purpose, owner: record.hash }, clock.now());
  const assertion = parsePasskeyAssertion(answer);
  const passkey = assertion && (await findPasskey(store.db, assertion.credentialId));
  const verified =
    assertion &&
    passkey &&
    isOwn &&
    hasValidPasskeyMac(vault, passkey) &&
    isAllowedPasskey(assertion, passkey, record, purpose)
      ? await verifyPasskeyAssertion(config, assertion, {
          passkey,
          isOwn,
          requireUserVerification: purpose === 'sign-in',
        })
      : null;
  if (!passkey || verified === null) {
    const owner = passkey?.citizen_id ?? record.citizen_id;
    await recordSignInFailure(dependencies, request, { ...record, citizen_id: owner });
    throw createPasskeyRefusal();
  }
  if (isPasskeyCounterRegressed(passkey.counter, verified.counter)) {
    // Audits the use, because a counter that did not increase suggests a cloned authenticator.
    await commands.run(request.origin, ({ audit }) =>
      audit('passkey-counter-regressed', passkey.citizen_id, { passkey: passkey.id }),
    );
    throw createPasskeyRefusal();
  }
  return {
    passkey,
    proof: {
      factor: challengeNames.passkey,
      async applyProof(tx) {
        if (!(await recordPasskeyUse(tx, passkey.id, { ...verified, now: clock.now() }))) throw createPasskeyRefusal();
      },
    },
  };
}

/** Whether a passkey belongs to the citizen of the sign-in or, as the only method, to the citizen whose handle the assertion contains. */
function isAllowedPasskey(
  { handle }: PasskeyAssertion,
  passkey: Passkey & { readonly handle: string },
  record: SignInRecord,
  purpose: WebAuthnChallengeBinding['purpose'],
): boolean {
  if (purpose === 'sign-in') return handle === passkey.handle;
  return passkey.citizen_id === record.citizen_id && (handle === null || handle === passkey.handle);
}

function createPasskeyRefusal(): OperationError {
  return new OperationError(400, 'llave_invalida', { field: 'credential' });
}
