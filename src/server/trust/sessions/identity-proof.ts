import { contract, type OperationName, type Contract } from '../../../contract/contract.ts';
import { href } from '../../../contract/href.ts';
import { isObject } from '../../../engine/core/json.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { after, type Clock } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { pages, serverPages } from '../../../contract/pages.ts';
import { secondFactorNid } from '../identity/levels.ts';
import { isVouchedFor } from '../identity/session-level.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { isLive, signedInAt } from './sessions.ts';

/** What a proof of identity is checked with. */
export interface ProofNeeds {
  readonly config: Config;
  readonly clock: Clock;
}

/** How long a proof of identity opens the operations that ask for one. */
const proofLifeS = 10 * 60;

/** The operations whose row of the contract asks for a proof of identity. */
export type ProvenOperation = {
  [Name in OperationName]: Contract[Name] extends { readonly proof: 'password' | 'sign-in' } ? Name : never;
}[OperationName];

/** The page that each of them is made on, where the citizen comes back to after the proof. */
const madeOn: { readonly [Name in ProvenOperation]: string | ((body: unknown) => string) } = {
  updatePassword: pages.changePassword,
  changePassword: pages.changePassword,
  updateEmail: (body) =>
    isObject(body) && body['second_factor_flow'] === true ? serverPages.secondFactorByNewEmail : pages.changeEmail,
  createTotp: serverPages.secondFactorByApp,
  verifyTotp: serverPages.secondFactorByApp,
  deleteTotp: pages.secondFactor,
  activateEmailMethod: serverPages.secondFactorByEmail,
  verifyEmailMethod: serverPages.secondFactorByEmail,
  deleteEmailMethod: pages.secondFactor,
  createRecoveryCodes: pages.secondFactor,
  createPasskeyOptions: pages.passkeys,
  renamePasskey: pages.passkeys,
  deletePasskey: pages.passkeys,
  exportData: pages.ownData,
  closeAccount: pages.closeAccount,
};

/** Notes that the citizen of a session has just given the current password. */
export async function noteProof(tx: Tx, sessionId: string, now: Date): Promise<void> {
  await tx.updateTable('broker_sessions').set({ verified_at: now }).where('id', '=', sessionId).execute();
}

/**
 * Whether operations that ask for a proof are open to a session, as long as that goes on; always where the flag verificar_identidad is off. The sign-in is one
 * where the portal itself knew who it was, or whoever vouches for it does so for two factors.
 */
export async function isProven(
  { config, clock }: ProofNeeds,
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
  const isOne = session.nid >= secondFactorNid || !isVouchedFor(session.amr.split(' '));
  const proofs = [session.verified_at, proof === 'sign-in' && isOne ? signedInAt(session) : null];
  return proofs.some((at) => provesNow({ config, clock }, at));
}

/** Whether a proof that a live session was given at a time still opens operations; null: none was given. */
export function provesNow({ config, clock }: ProofNeeds, at: Date | null): boolean {
  return !config.flags.verificar_identidad || (at !== null && after(at, proofLifeS) > clock.now());
}

/** Whether the row of an operation asks for a proof. */
export function asksForProof(name: OperationName): name is ProvenOperation {
  return Object.hasOwn(madeOn, name);
}

/** Throws a 401 for nobody, and a 403 unless the session of who calls holds the proof that the operation asks for; that names the page that asks for it and the way back. */
export async function demandProof(
  needs: ProofNeeds,
  db: Store['db'] | Tx,
  name: ProvenOperation,
  { caller, body }: { caller: Caller | null; body: unknown },
): Promise<void> {
  if (caller === null) throw new OperationError(401, 'no_autenticado');
  if (await isProven(needs, db, caller.sessionId, contract[name].proof)) return;
  const page = madeOn[name];
  const back = typeof page === 'string' ? page : page(body);
  throw new OperationError(403, 'verificacion_requerida', { next: href(serverPages.verifyIdentity, { next: back }) });
}
