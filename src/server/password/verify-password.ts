import { noteProof } from '../sessions/identity-proof.ts';
import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { passwordHashOf } from '../identity/citizens.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/**
 * Proves the identity of who is signed in by the current password. Wrong ones are counted by document and address, which delays and
 * never locks. The hash is checked outside of any transaction, and compared once more inside of the one that counts on it.
 */
export function verifyPassword(parts: Parts): Handler<'verifyPassword'> {
  const { store, clock, throttle, passwords } = parts;
  return async ({ body, caller, address, requestId }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const counted = { address, document: documentId(citizen) };
    await throttle.admit('verifyIdentity', counted, clock.now());
    const stored = await passwordHashOf(store.db, citizen.id);
    const entry = { at: clock.now(), citizenId: citizen.id, address, requestId };
    const wrong = new CallError(400, 'contrasena_invalida', { field: 'pwd' });
    if (!(await passwords.verify(stored, text(body['pwd'])))) {
      await store.transaction((tx) => appendAudit(tx, { ...entry, action: 'identity-refused' }));
      throw wrong;
    }
    await throttle.forgive('verifyIdentity', counted);
    await store.transaction(async (tx) => {
      if ((await passwordHashOf(tx, citizen.id)) !== stored) throw wrong;
      await noteProof(tx, sessionId, clock.now());
      await appendAudit(tx, { ...entry, action: 'identity-verified' });
    });
    return { body: {} };
  };
}
