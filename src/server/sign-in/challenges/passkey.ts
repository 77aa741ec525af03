import type { Answer } from '../../../contract/contract.ts';
import { documentId } from '../../base/document.ts';
import { CallError } from '../../base/errors.ts';
import type { CallRequest } from '../../base/call.ts';
import { checkAssertion, readAssertion, requestOptions, type Assertion } from '../../credentials/ceremonies.ts';
import { hashSecret } from '../../keys/secrets.ts';
import { findCitizen } from '../../identity/citizens.ts';
import type { Store, Tx } from '../../database/open-store.ts';
import { storeCeremony, takeCeremony, type CeremonyBinding } from '../../credentials/passkey-challenges.ts';
import { findPasskey, isRegressed, usePasskey, type Passkey } from '../../credentials/passkeys.ts';
import type { ChallengeRecord } from '../../sessions/challenge-record.ts';
import { checkForm } from './check-form.ts';
import { challengeNames } from '../../identity/names.ts';
import { noteFailure, type ChallengeNeeds, type Proof, type Prove } from './proof.ts';
import { proveRecovery } from './recovery.ts';
import { openSignIn } from './username.ts';

/** What the browser needs for the step, as the answer of a sign-in carries it. */
type Options = NonNullable<Answer<'answerChallenge'>['options']>;

/**
 * The passkey as the second factor: a use of one of the citizen's, a recovery code in its place, the wish for another method, or for new
 * options in place of those that were used up.
 */
export const provePasskey: Prove = async (needs, request, record) => {
  const { options, other, ...form } = request.body.data_challenge;
  if (options === true || other === true) return { factor: null, otherMethod: other === true, settle: async () => {} };
  if ('recovery' in form) return proveRecovery(needs, request, record);
  const counted = { address: request.origin.address, document: record.document };
  await needs.throttle.admit('secondFactor', counted, needs.clock.now());
  const answer = String(checkForm(needs, 'login-llave', form, request.origin.language)['credential'] ?? '');
  const { proof } = await proveUse(needs, request, {
    record,
    answer,
    purpose: 'second-factor',
    requireUserVerification: false,
  });
  await needs.throttle.forgive('secondFactor', counted);
  return proof;
};

/** Opens a sign-in that a passkey alone answers; nothing is known of who signs in. */
export async function startPasskeySignIn(
  needs: ChallengeNeeds,
  request: CallRequest<'answerChallenge'>,
): Promise<{ token: string; browser: string; options: Options }> {
  const { store, clock, throttle } = needs;
  await throttle.admit('challenge', { address: request.origin.address }, clock.now());
  const { token, browser } = await openSignIn(needs, request, {
    step: challengeNames.passkeySignIn,
    document: '',
    citizen_id: null,
  });
  return {
    token,
    browser,
    options: await passkeyOptions(store.db, needs, { owner: hashSecret(token), allowed: null }),
  };
}

/**
 * The passkey as the one method of a sign-in, which tells who signs in: the authenticator must have verified its user (PIN, fingerprint,
 * face), so that possession and that are two factors.
 */
export const provePasskeySignIn: Prove = async (needs, request, record) => {
  const { store, throttle, clock } = needs;
  await throttle.admit('passkey', { address: request.origin.address }, clock.now());
  const answer = String(
    checkForm(needs, 'login-llave-ingreso', request.body.data_challenge, request.origin.language)['credential'] ?? '',
  );
  const { proof, passkey } = await proveUse(needs, request, {
    record,
    answer,
    purpose: 'sign-in',
    requireUserVerification: true,
  });
  const citizen = await findCitizen(store.db, passkey.citizen_id);
  if (citizen === null) throw refused();
  await throttle.forgive('passkey', { address: request.origin.address });
  return { ...proof, citizen: { id: citizen.id, document: documentId(citizen) } };
};

/** New options for the step that a sign-in waits at; those before are void. */
export async function passkeyOptions(
  db: Store['db'] | Tx,
  { config, clock }: Pick<ChallengeNeeds, 'config' | 'clock'>,
  { owner, allowed }: { owner: string; allowed: readonly Passkey[] | null },
): Promise<Options> {
  const options = await requestOptions(config, {
    allowed: allowed ?? [],
    userVerification: allowed === null ? 'required' : 'preferred',
  });
  await storeCeremony(
    db,
    { purpose: allowed === null ? 'sign-in' : 'second-factor', owner },
    options.challenge,
    clock.now(),
  );
  return { ...options };
}

interface Use {
  readonly record: ChallengeRecord;
  readonly answer: string;
  readonly purpose: CeremonyBinding['purpose'];
  readonly requireUserVerification: boolean;
}

/** Checks one use; every refusal reads the same, and is in the audit log of whose passkey it was. */
async function proveUse(
  needs: ChallengeNeeds,
  request: CallRequest<'answerChallenge'>,
  use: Use,
): Promise<{ proof: Proof; passkey: Passkey }> {
  const { store, clock, config } = needs;
  const { record, answer, purpose, requireUserVerification } = use;
  const isOwn = await takeCeremony(store, { purpose, owner: record.hash }, clock.now());
  const assertion = readAssertion(answer);
  const passkey = assertion && (await findPasskey(store.db, assertion.credentialId));
  const told =
    assertion && passkey && isOwn && belongs(assertion, passkey, record, purpose)
      ? await checkAssertion(config, assertion, { passkey, isOwn, requireUserVerification })
      : null;
  if (!passkey || told === null) {
    await noteFailure(needs, request, { ...record, citizen_id: passkey?.citizen_id ?? record.citizen_id });
    throw refused();
  }
  if (isRegressed(passkey.counter, told.counter)) {
    await noteCopy(needs, request, passkey);
    throw refused();
  }
  return {
    passkey,
    proof: {
      factor: challengeNames.passkey,
      async settle(tx) {
        if (!(await usePasskey(tx, passkey.id, { ...told, now: clock.now() }))) throw refused();
      },
    },
  };
}

/** Whether the credential may answer this sign-in, and the authenticator names the right citizen; a sign-in by it alone must be told whom. */
function belongs(
  { handle }: Assertion,
  passkey: Passkey & { readonly handle: string },
  record: ChallengeRecord,
  purpose: CeremonyBinding['purpose'],
): boolean {
  if (purpose === 'sign-in') return handle === passkey.handle;
  return passkey.citizen_id === record.citizen_id && (handle === null || handle === passkey.handle);
}

/** A counter that went back: somebody may use a copy of the authenticator. */
async function noteCopy(
  { commands }: Pick<ChallengeNeeds, 'commands'>,
  { origin }: CallRequest<'answerChallenge'>,
  { citizen_id, id }: Passkey,
): Promise<void> {
  await commands.run(origin, ({ audit }) => audit('passkey-counter-regressed', citizen_id, { passkey: id }));
}

function refused(): CallError {
  return new CallError(400, 'llave_invalida', { field: 'credential' });
}
