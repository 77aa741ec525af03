import type { Answer } from '../../contract/contract.ts';
import { demandProof } from '../sessions/identity-proof.ts';
import type { CallRequest } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { passwordHashOf } from '../identity/citizens.ts';
import { changePassword } from './change-password.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/** What the calls at both addresses have in common. */
type Request = Pick<CallRequest<'updatePassword'>, 'body' | 'caller' | 'address' | 'requestId' | 'language'>;

/** Changes the password of who is signed in, once the current one was given. This session goes on, every other one ends. */
export function updatePassword(
  parts: Parts,
): (request: Request) => Promise<{ readonly body: Answer<'updatePassword'> }> {
  const { store, clock, throttle, passwords, config } = parts;
  return async ({ body, caller, address, requestId, language }) => {
    if (!config.flags.contrasena) throw new CallError(403, 'sin_permiso');
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    await throttle.admit('changeAccount', { address, document: documentId(citizen) }, clock.now());
    const password = text(body['new_pass']);
    if (await passwords.verify(await passwordHashOf(store.db, citizen.id), password)) {
      throw new CallError(400, 'contrasena_repetida', { field: 'new_pass' });
    }
    const passwordHash = await passwords.hash(password);
    await store.transaction(async (tx) => {
      await demandProof(parts, tx, 'updatePassword', { caller, body }); // the session may have ended while the password was hashed
      const current = await ownCitizen(tx, caller);
      await changePassword(tx, parts, { citizen: current.citizen, passwordHash, keep: sessionId, language });
      await appendAudit(tx, { at: clock.now(), action: 'change-password', citizenId: citizen.id, address, requestId });
    });
    return { body: {} };
  };
}
