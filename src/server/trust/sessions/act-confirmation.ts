import type { OperationName } from '../../../contract/contract.ts';
import type { OperationRequest } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Throttle } from '../abuse/throttle.ts';
import { checkAssertion, readAssertion, requestOptions } from '../credentials/ceremonies.ts';
import { limits } from '../credentials/index.ts';
import {
  confirmationLifeS,
  storeCeremony,
  takeCeremony,
  type CeremonyBinding,
} from '../credentials/passkey-challenges.ts';
import { isAuthentic, isRegressed, listPasskeys, usePasskey, type Passkey } from '../credentials/passkeys.ts';
import { agentAssurance } from '../identity/agent-mailboxes.ts';
import type { Commands } from '../notices/commands.ts';
import { isProven, type ProofDependencies } from './identity-proof.ts';
import { isObject } from '../../../engine/core/json.ts';

export interface ConfirmationDependencies extends ProofDependencies {
  readonly commands: Commands;
  readonly store: Store;
  readonly throttle: Throttle;
  readonly vault: Vault;
}

/** The parts of a request that its confirmation is bound to. */
type Act = Pick<OperationRequest<OperationName>, 'caller' | 'params' | 'assertion' | 'origin'> & {
  readonly body: unknown;
};

/**
 * Lets an agent's act pass if its request carries a WebAuthn assertion made for this session, operation, parameters and body. Without an assertion,
 * throws a 403 with new request options. The password is enough if `agentAssurance` says so.
 */
export async function demandConfirmation(
  dependencies: ConfirmationDependencies,
  name: OperationName,
  act: Act,
): Promise<void> {
  const { config, clock, store, throttle } = dependencies;
  const { caller, params, body, assertion, origin } = act;
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  const passkeys = await listPasskeys(store.db, caller.citizenId);
  if (agentAssurance(config, passkeys.length > 0) === 'password') {
    if (await isProven({ config, clock }, store.db, caller.sessionId)) return;
    throw new OperationError(403, 'verificacion_requerida');
  }
  const binding = { purpose: 'act', owner: hashSecret(canonicalJson([caller.sessionId, name, params, body])) } as const;
  if (assertion === undefined) throw await unconfirmed(dependencies, binding, passkeys);
  const counted = { address: origin.address };
  await throttle.admit(limits.passkey, counted, clock.now());
  await confirm(dependencies, name, { ...act, caller, assertion, binding, passkeys });
  await throttle.forgive({ limit: limits.passkey, counted });
}

async function unconfirmed(
  { config, clock, store }: ConfirmationDependencies,
  binding: CeremonyBinding,
  allowed: readonly Passkey[],
): Promise<OperationError> {
  const options = await requestOptions(config, { allowed, userVerification: 'required', lifeS: confirmationLifeS });
  await storeCeremony(store.db, binding, options.challenge, clock.now());
  return new OperationError(403, 'confirmacion_requerida', { publicKey: { ...options } });
}

/** Verifies the assertion and records the result in the audit log. The 403 does not say what is wrong. */
async function confirm(
  { commands, config, clock, store, vault }: ConfirmationDependencies,
  operation: OperationName,
  {
    caller,
    assertion,
    binding,
    passkeys,
    origin,
  }: Required<Act> & {
    readonly caller: NonNullable<Act['caller']>;
    readonly assertion: string;
    readonly binding: CeremonyBinding;
    readonly passkeys: readonly Passkey[];
  },
): Promise<void> {
  const isOwn = await takeCeremony(store, binding, clock.now());
  const answer = readAssertion(assertion);
  const passkey = passkeys.find(({ credential_id }) => credential_id === answer?.credentialId);
  const used =
    isOwn && answer && passkey && isAuthentic(vault, passkey)
      ? await checkAssertion(config, answer, { passkey, isOwn, requireUserVerification: true })
      : null;
  const isConfirmed = await commands.run(origin, async ({ tx, now, audit }) => {
    const session = await tx
      .selectFrom('broker_sessions')
      .select('created_at')
      .where('id', '=', caller.sessionId)
      .executeTakeFirst();
    const isSound =
      passkey !== undefined &&
      used !== null &&
      session !== undefined &&
      passkey.created_at <= session.created_at && // otherwise a thief of the session could add a passkey and confirm with it
      !isRegressed(passkey.counter, used.counter) &&
      (await usePasskey(tx, passkey.id, { ...used, now }));
    const details = { operation, ...(passkey && { passkey: passkey.id }) };
    await audit(isSound ? 'agent-act-confirmed' : 'agent-act-unconfirmed', caller.citizenId, details);
    return isSound;
  });
  if (!isConfirmed) throw new OperationError(403, 'confirmacion_invalida');
}

/** JSON text with the keys of each object in order, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}
