import { contract, type OperationName, type Contract } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Caller, OperationRequest } from '../../platform/base/operation-request.ts';
import { addSeconds, type Clock } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { pages, redirectOnlyPages } from '../../../contract/pages.ts';
import { secondFactorNid } from '../identity/levels.ts';
import { reliesOnThirdParty } from '../identity/session-level.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { buildLiveCondition, findSignInTime } from './sessions.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Throttle } from '../abuse/throttle.ts';
import {
  verifyPasskeyAssertion,
  readAssertion,
  generateRequestOptions,
  confirmationLifeS,
  storeCeremony,
  consumeCeremony,
  type CeremonyBinding,
} from '../credentials/ceremonies.ts';
import { credentialLimits } from '../credentials/index.ts';
import {
  hasValidMac,
  isCounterRegressed,
  listPasskeys,
  recordPasskeyUse,
  type Passkey,
} from '../credentials/passkeys.ts';
import { selectAgentProof } from '../identity/agent-mailboxes.ts';
import type { Commands } from '../notices/commands.ts';

interface ProofDependencies {
  readonly config: Config;
  readonly clock: Clock;
}

const proofLifeS = 10 * 60;

/** Operations that require a proof of identity, according to the contract. */
type ProvenOperation = {
  [Name in OperationName]: Contract[Name] extends { readonly proof: 'password' | 'sign-in' } ? Name : never;
}[OperationName];

/** Page of each operation, to which the citizen returns after the proof. */
const pagesByOperation: { readonly [Name in ProvenOperation]: string | ((body: unknown) => string) } = {
  updatePassword: pages.changePassword,
  changePassword: pages.changePassword,
  updateEmail: (body) =>
    isObject(body) && body['second_factor_flow'] === true
      ? redirectOnlyPages.secondFactorByNewEmail
      : pages.changeEmail,
  updatePhone: pages.changePhone,
  endSession: pages.sessions,
  endOtherSessions: pages.sessions,
  createTotp: redirectOnlyPages.secondFactorByApp,
  verifyTotp: redirectOnlyPages.secondFactorByApp,
  deleteTotp: pages.secondFactor,
  activateEmailMethod: redirectOnlyPages.secondFactorByEmail,
  verifyEmailMethod: redirectOnlyPages.secondFactorByEmail,
  deleteEmailMethod: pages.secondFactor,
  createRecoveryCodes: pages.secondFactor,
  createPasskeyOptions: pages.passkeys,
  renamePasskey: pages.passkeys,
  deletePasskey: pages.passkeys,
  exportData: pages.ownData,
  closeAccount: pages.closeAccount,
};

export async function recordProof(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
}

/**
 * Whether a live session has a valid proof of identity. Always `true` if the flag `verificar_identidad` is off. With `proof: 'sign-in'`, the
 * sign-in itself counts as a proof, unless it relies on a third party that asserts only one factor.
 */
export async function hasValidProof(
  { config, clock }: ProofDependencies,
  db: Store['db'] | Tx,
  sessionId: string,
  proof: 'password' | 'sign-in' = 'password',
): Promise<boolean> {
  if (!config.flags.verificar_identidad) return true;
  const session = await db
    .selectFrom('broker_sessions')
    .select(['verified_at', 'created_at', 'authenticated_at', 'idp', 'amr', 'nid'])
    .where('id', '=', sessionId)
    .where(buildLiveCondition(clock.now()))
    .executeTakeFirst();
  if (session === undefined) return false;
  const isOne = session.nid >= secondFactorNid || !reliesOnThirdParty(session.amr.split(' '));
  const proofs = [session.verified_at, proof === 'sign-in' && isOne ? findSignInTime(session) : null];
  return proofs.some((at) => isProofFresh({ config, clock }, at));
}

/** Whether a proof at the time `at` is still valid. `at` is `null` if there was no proof. */
export function isProofFresh({ config, clock }: ProofDependencies, at: Date | null): boolean {
  return !config.flags.verificar_identidad || (at !== null && addSeconds(at, proofLifeS) > clock.now());
}

export function requiresProof(name: OperationName): name is ProvenOperation {
  return Object.hasOwn(pagesByOperation, name);
}

/** Throws a 401 for an anonymous caller, and a 403 if the session lacks the required proof. The 403 contains the page of the proof. */
export async function requireProof(
  dependencies: ProofDependencies,
  db: Store['db'] | Tx,
  name: ProvenOperation,
  { caller, body }: { caller: Caller | null; body: unknown },
): Promise<void> {
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  if (await hasValidProof(dependencies, db, caller.sessionId, contract[name].proof)) return;
  const page = pagesByOperation[name];
  const back = typeof page === 'string' ? page : page(body);
  throw new OperationError(403, 'verificacion_requerida', {
    next: href(redirectOnlyPages.verifyIdentity, { next: back }),
  });
}

export interface ConfirmationDependencies extends ProofDependencies {
  readonly commands: Commands;
  readonly store: Store;
  readonly throttle: Throttle;
  readonly vault: Vault;
}

/** Parts of a request that the agent's confirmation is bound to. */
type ConfirmedRequest = Pick<OperationRequest<OperationName>, 'caller' | 'params' | 'assertion' | 'origin'> & {
  readonly body: unknown;
};

/**
 * Requires a WebAuthn assertion for an agent's action, made for this session, operation, parameters and body. Without
 * an assertion, throws a 403 with new request options. On a loopback server, the password may be enough (see
 * `selectAgentProof`).
 */
export async function requireConfirmation(
  dependencies: ConfirmationDependencies,
  name: OperationName,
  act: ConfirmedRequest,
): Promise<void> {
  const { config, clock, store, throttle } = dependencies;
  const { caller, params, body, assertion, origin } = act;
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  const passkeys = await listPasskeys(store.db, caller.citizenId);
  if (selectAgentProof(config, passkeys.length > 0) === 'password') {
    if (await hasValidProof({ config, clock }, store.db, caller.sessionId)) return;
    throw new OperationError(403, 'verificacion_requerida');
  }
  const binding = { purpose: 'act', owner: hashSecret(canonicalJson([caller.sessionId, name, params, body])) } as const;
  if (assertion === undefined) throw await createUnconfirmedError(dependencies, binding, passkeys);
  const counted = { address: origin.address };
  await throttle.admit(credentialLimits.passkey, counted, clock.now());
  await verifyConfirmation(dependencies, name, { ...act, caller, assertion, binding, passkeys });
  await throttle.forgive({ limit: credentialLimits.passkey, counted });
}

async function createUnconfirmedError(
  { config, clock, store }: ConfirmationDependencies,
  binding: CeremonyBinding,
  allowed: readonly Passkey[],
): Promise<OperationError> {
  const options = await generateRequestOptions(config, {
    allowed,
    userVerification: 'required',
    lifeS: confirmationLifeS,
  });
  await storeCeremony(store.db, binding, options.challenge, clock.now());
  return new OperationError(403, 'confirmacion_requerida', { publicKey: { ...options } });
}

/** Verifies the assertion and records the result in the audit log. The 403 does not reveal the reason. */
async function verifyConfirmation(
  { commands, config, clock, store, vault }: ConfirmationDependencies,
  operation: OperationName,
  {
    caller,
    assertion,
    binding,
    passkeys,
    origin,
  }: Required<ConfirmedRequest> & {
    readonly caller: NonNullable<ConfirmedRequest['caller']>;
    readonly assertion: string;
    readonly binding: CeremonyBinding;
    readonly passkeys: readonly Passkey[];
  },
): Promise<void> {
  const isOwn = await consumeCeremony(store, binding, clock.now());
  const answer = readAssertion(assertion);
  const passkey = passkeys.find(({ credential_id }) => credential_id === answer?.credentialId);
  const used =
    isOwn && answer && passkey && hasValidMac(vault, passkey)
      ? await verifyPasskeyAssertion(config, answer, { passkey, isOwn, requireUserVerification: true })
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
      passkey.created_at <= session.created_at && // otherwise an attacker with a stolen session could add a passkey and confirm with it
      !isCounterRegressed(passkey.counter, used.counter) &&
      (await recordPasskeyUse(tx, passkey.id, { ...used, now }));
    const details = { operation, ...(passkey && { passkey: passkey.id }) };
    await audit(isSound ? 'agent-act-confirmed' : 'agent-act-unconfirmed', caller.citizenId, details);
    return isSound;
  });
  if (!isConfirmed) throw new OperationError(403, 'confirmacion_invalida');
}

/** Serializes a value as JSON with sorted keys, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}
