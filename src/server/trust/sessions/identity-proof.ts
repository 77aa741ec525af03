import { contract, type OperationName, type Contract } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { pages, redirectOnlyPages } from '../../../contract/pages.ts';
import { secondFactorNid } from '../identity/levels.ts';
import { reliesOnThirdParty } from '../identity/session-level.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { isLive, signedInAt } from './sessions.ts';

export interface ProofDependencies {
  readonly config: Config;
  readonly clock: Clock;
}

/** How long a proof of identity is valid, in seconds. */
const proofLifeS = 10 * 60;

/** The operations that require a proof of identity by their row in the contract. */
export type ProvenOperation = {
  [Name in OperationName]: Contract[Name] extends { readonly proof: 'password' | 'sign-in' } ? Name : never;
}[OperationName];

/** The page of each operation, where the citizen returns to after the proof. */
const madeOn: { readonly [Name in ProvenOperation]: string | ((body: unknown) => string) } = {
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

/** Records that the citizen has just entered the current password in this session. */
export async function noteProof(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
}

/**
 * Whether a live session has a valid proof of identity. Always `true` if the flag `verificar_identidad` is off. With `proof: 'sign-in'`, the sign-in
 * itself counts as a proof, unless it relies on a third party that vouches for one factor only.
 */
export async function isProven(
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
    .where(isLive(clock.now()))
    .executeTakeFirst();
  if (session === undefined) return false;
  const isOne = session.nid >= secondFactorNid || !reliesOnThirdParty(session.amr.split(' '));
  const proofs = [session.verified_at, proof === 'sign-in' && isOne ? signedInAt(session) : null];
  return proofs.some((at) => provesNow({ config, clock }, at));
}

/** Whether a proof given at `at` is still valid. `at` is `null` if none was given. */
export function provesNow({ config, clock }: ProofDependencies, at: Date | null): boolean {
  return !config.flags.verificar_identidad || (at !== null && after(at, proofLifeS) > clock.now());
}

export function asksForProof(name: OperationName): name is ProvenOperation {
  return Object.hasOwn(madeOn, name);
}

/** Throws a 401 for an anonymous caller, and a 403 if the session lacks the required proof. The 403 names the page for the proof. */
export async function demandProof(
  dependencies: ProofDependencies,
  db: Store['db'] | Tx,
  name: ProvenOperation,
  { caller, body }: { caller: Caller | null; body: unknown },
): Promise<void> {
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  if (await isProven(dependencies, db, caller.sessionId, contract[name].proof)) return;
  const page = madeOn[name];
  const back = typeof page === 'string' ? page : page(body);
  throw new OperationError(403, 'verificacion_requerida', {
    next: href(redirectOnlyPages.verifyIdentity, { next: back }),
  });
}
