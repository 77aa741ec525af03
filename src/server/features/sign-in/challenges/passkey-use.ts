import { OperationError } from '../../../platform/base/errors.ts';
import {
  checkAssertion,
  readAssertion,
  requestOptions,
  type Assertion,
} from '../../../trust/credentials/ceremonies.ts';
import { storeCeremony, takeCeremony, type CeremonyBinding } from '../../../trust/credentials/passkey-challenges.ts';
import { findPasskey, isRegressed, usePasskey, type Passkey } from '../../../trust/credentials/passkeys.ts';
import type { Store, Tx } from '../../../platform/database/open-store.ts';
import { challengeNames } from '../../../trust/identity/names.ts';
import type { ChallengeRecord } from '../../../trust/sessions/challenge-record.ts';
import type { ChallengeDependencies, Options, Proof, Request } from './challenge.ts';
import { noteFailure } from './prove-typed.ts';

/** Creates new options for the current step of a sign-in. Earlier options are void. */
export async function passkeyOptions(
  db: Store['db'] | Tx,
  { config, clock }: Pick<ChallengeDependencies, 'config' | 'clock'>,
  { owner, allowed }: { owner: string; allowed: readonly Passkey[] | null },
): Promise<Options> {
  const options = await requestOptions(config, {
    allowed: allowed ?? [],
    userVerification: allowed === null ? 'required' : 'preferred',
  });
  const purpose = allowed === null ? 'sign-in' : 'second-factor';
  await storeCeremony(db, { purpose, owner }, options.challenge, clock.now());
  return { ...options };
}

/** Verifies a use of a passkey. As the only method it requires user verification. All refusals look the same, and are audited for its owner. */
export async function proveUse(
  dependencies: ChallengeDependencies,
  request: Request,
  record: ChallengeRecord,
  { answer, purpose }: { answer: string; purpose: CeremonyBinding['purpose'] },
): Promise<{ proof: Proof; passkey: Passkey }> {
  const { commands, store, clock, config } = dependencies;
  const isOwn = await takeCeremony(store, { purpose, owner: record.hash }, clock.now());
  const assertion = readAssertion(answer);
  const passkey = assertion && (await findPasskey(store.db, assertion.credentialId));
  const told =
    assertion && passkey && isOwn && belongs(assertion, passkey, record, purpose)
      ? await checkAssertion(config, assertion, { passkey, isOwn, requireUserVerification: purpose === 'sign-in' })
      : null;
  if (!passkey || told === null) {
    await noteFailure(dependencies, request, { ...record, citizen_id: passkey?.citizen_id ?? record.citizen_id });
    throw refused();
  }
  if (isRegressed(passkey.counter, told.counter)) {
    // The authenticator may have been copied.
    await commands.run(request.origin, ({ audit }) =>
      audit('passkey-counter-regressed', passkey.citizen_id, { passkey: passkey.id }),
    );
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

/** Whether the credential may answer this sign-in. A second factor must belong to its citizen. The only method must report its owner's handle. */
function belongs(
  { handle }: Assertion,
  passkey: Passkey & { readonly handle: string },
  record: ChallengeRecord,
  purpose: CeremonyBinding['purpose'],
): boolean {
  if (purpose === 'sign-in') return handle === passkey.handle;
  return passkey.citizen_id === record.citizen_id && (handle === null || handle === passkey.handle);
}

/** Error for any passkey that does not prove the step. */
export function refused(): OperationError {
  return new OperationError(400, 'llave_invalida', { field: 'credential' });
}
