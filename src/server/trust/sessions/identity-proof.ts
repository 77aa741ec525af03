import { apiContract, type OperationName, type ApiContract } from '../../../contract/contract.ts';
import { buildHref } from '../../../contract/build-href.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Caller, OperationRequest } from '../../platform/base/operation-request.ts';
import { addSeconds, type Clock } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { pagePaths, redirectOnlyPagePaths } from '../../../contract/page-paths.ts';
import { minSecondFactorLevel } from '../identity/assurance-levels.ts';
import { reliesOnThirdParty } from '../identity/session-level.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { buildLiveSessionCondition, findSignInTime } from './broker-sessions.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { AttemptThrottle } from '../abuse/attempt-throttle.ts';
import {
  verifyPasskeyAssertion,
  parsePasskeyAssertion,
  generatePasskeyRequestOptions,
  actionConfirmationLifeS,
  storeWebAuthnChallenge,
  consumeWebAuthnChallenge,
  type WebAuthnChallengeBinding,
} from '../credentials/webauthn-ceremonies.ts';
import { credentialAttemptLimits } from '../credentials/index.ts';
import {
  hasValidPasskeyMac,
  isPasskeyCounterRegressed,
  listPasskeys,
  recordPasskeyUse,
  type Passkey,
} from '../credentials/passkeys.ts';
import { selectAgentProofMethod } from '../identity/agent-mailboxes.ts';
import type { DatabaseCommandRunner } from '../notices/database-commands.ts';

interface ProofDependencies {
  readonly config: Config;
  readonly clock: Clock;
}

const proofLifeS = 10 * 60;

type ProvenOperation = {
  [Name in OperationName]: ApiContract[Name] extends { readonly proof: 'password' | 'sign-in' } ? Name : never;
}[OperationName];

const pagesByOperation: { readonly [Name in ProvenOperation]: string | ((body: unknown) => string) } = {
  updatePassword: pagePaths.changePassword,
  changePassword: pagePaths.changePassword,
  updateEmail: (body) =>
    isObject(body) && body['second_factor_flow'] === true
      ? redirectOnlyPagePaths.secondFactorByNewEmail
      : pagePaths.changeEmail,
  updatePhone: pagePaths.changePhone,
  endSession: pagePaths.sessions,
  endOtherSessions: pagePaths.sessions,
  createTotp: redirectOnlyPagePaths.secondFactorByApp,
  verifyTotp: redirectOnlyPagePaths.secondFactorByApp,
  deleteTotp: pagePaths.secondFactor,
  activateEmailMethod: redirectOnlyPagePaths.secondFactorByEmail,
  verifyEmailMethod: redirectOnlyPagePaths.secondFactorByEmail,
  deleteEmailMethod: pagePaths.secondFactor,
  createRecoveryCodes: pagePaths.secondFactor,
  createPasskeyOptions: pagePaths.passkeys,
  renamePasskey: pagePaths.passkeys,
  deletePasskey: pagePaths.passkeys,
  exportData: pagePaths.ownData,
  closeAccount: pagePaths.closeAccount,
};

export async function recordProofOfIdentity(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
}

/**
 * Whether the session has a recent proof of identity: the password or, with `sign-in`, also the sign-in itself, unless it relies on a third party
 * that asserts only one factor.
 */
export async function hasValidIdentityProof(
  { config, clock }: ProofDependencies,
  db: DatabaseStore['db'] | Tx,
  sessionId: string,
  proof: 'password' | 'sign-in' = 'password',
): Promise<boolean> {
  if (!config.flags.verificar_identidad) return true;
  const session = await db
    .selectFrom('broker_sessions')
    .select(['verified_at', 'created_at', 'authenticated_at', 'idp', 'amr', 'nid'])
    .where('id', '=', sessionId)
    .where(buildLiveSessionCondition(clock.now()))
    .executeTakeFirst();
  if (session === undefined) return false;
  const isOne = session.nid >= minSecondFactorLevel || !reliesOnThirdParty(session.amr.split(' '));
  const proofs = [session.verified_at, proof === 'sign-in' && isOne ? findSignInTime(session) : null];
  return proofs.some((at) => isIdentityProofFresh({ config, clock }, at));
}

export function isIdentityProofFresh({ config, clock }: ProofDependencies, at: Date | null): boolean {
  return !config.flags.verificar_identidad || (at !== null && addSeconds(at, proofLifeS) > clock.now());
}

export function requiresIdentityProof(name: OperationName): name is ProvenOperation {
  return Object.hasOwn(pagesByOperation, name);
}

export async function assertIdentityProof(
  dependencies: ProofDependencies,
  db: DatabaseStore['db'] | Tx,
  name: ProvenOperation,
  { caller, body }: { caller: Caller | null; body: unknown },
): Promise<void> {
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  if (await hasValidIdentityProof(dependencies, db, caller.sessionId, apiContract[name].proof)) return;
  const page = pagesByOperation[name];
  const back = typeof page === 'string' ? page : page(body);
  throw new OperationError(403, 'verificacion_requerida', {
    next: buildHref(redirectOnlyPagePaths.verifyIdentity, { next: back }),
  });
}

export interface AgentConfirmationDependencies extends ProofDependencies {
  readonly commands: DatabaseCommandRunner;
  readonly store: DatabaseStore;
  readonly throttle: AttemptThrottle;
  readonly vault: Vault;
}

/**
 * Requires a passkey assertion of the agent for this session, operation, parameters and body. Without one, throws a 403 with WebAuthn request
 * options.
 */
export async function assertAgentConfirmation(
  dependencies: AgentConfirmationDependencies,
  operation: OperationName,
  act: Pick<OperationRequest<OperationName>, 'caller' | 'params' | 'assertion' | 'origin'> & { readonly body: unknown },
): Promise<void> {
  const { commands, config, clock, store, throttle, vault } = dependencies;
  const { caller, params, body, assertion, origin } = act;
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  const passkeys = await listPasskeys(store.db, caller.citizenId);
  if (selectAgentProofMethod(config, passkeys.length > 0) === 'password') {
    if (await hasValidIdentityProof({ config, clock }, store.db, caller.sessionId)) return;
    throw new OperationError(403, 'verificacion_requerida');
  }
  const owner = hashSecret(canonicalJson([caller.sessionId, operation, params, body]));
  const binding = { purpose: 'act', owner } as const;
  if (assertion === undefined) throw await createUnconfirmedError(dependencies, binding, passkeys);
  const counted = { address: origin.address };
  await throttle.admit(credentialAttemptLimits.passkey, counted, clock.now());
  const isOwn = await consumeWebAuthnChallenge(store, binding, clock.now());
  const answer = parsePasskeyAssertion(assertion);
  const passkey = passkeys.find(({ credential_id }) => credential_id === answer?.credentialId);
  const used =
    isOwn && answer && passkey && hasValidPasskeyMac(vault, passkey)
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
      !isPasskeyCounterRegressed(passkey.counter, used.counter) &&
      (await recordPasskeyUse(tx, passkey.id, { ...used, now }));
    const details = { operation, ...(passkey && { passkey: passkey.id }) };
    await audit(isSound ? 'agent-act-confirmed' : 'agent-act-unconfirmed', caller.citizenId, details);
    return isSound;
  });
  if (!isConfirmed) throw new OperationError(403, 'confirmacion_invalida'); // the error does not reveal why the assertion is rejected
  await throttle.forgive({ limit: credentialAttemptLimits.passkey, counted });
}

async function createUnconfirmedError(
  { config, clock, store }: AgentConfirmationDependencies,
  binding: WebAuthnChallengeBinding,
  allowed: readonly Passkey[],
): Promise<OperationError> {
  const options = await generatePasskeyRequestOptions(config, {
    allowed,
    userVerification: 'required',
    lifeS: actionConfirmationLifeS,
  });
  await storeWebAuthnChallenge(store.db, binding, options.challenge, clock.now());
  return new OperationError(403, 'confirmacion_requerida', { publicKey: { ...options } });
}

/** Serializes a value as JSON with sorted keys, so that equal values have equal texts. */
function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1))) : part,
  );
}
