import type { Handler } from '../../platform/base/operation-request.ts';
import { documentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { passwordHashOf } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { noteProof } from '../../trust/sessions/identity-proof.ts';
import type { Parts } from '../parts.ts';

/**
 * Verifies the current password. Wrong attempts are counted by document and address, which delays but never locks. The hash is checked outside of any
 * transaction, so the transaction checks that it is still the stored one.
 */
export function verifyPassword({ commands, store, passwords, throttle, limits }: Parts): Handler<'verifyPassword'> {
  return async ({ body, caller, origin }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const stored = await passwordHashOf(store.db, citizen.id);
    const wrong = new OperationError(400, 'contrasena_invalida', { field: 'pwd' });
    if (!(await passwords.verify(stored, body.pwd ?? ''))) {
      await commands.run(origin, ({ audit }) => audit('identity-refused', citizen.id));
      throw wrong;
    }
    await throttle.forgive({
      limit: limits.verifyIdentity,
      counted: { address: origin.address, document: documentId(citizen) },
    });
    await commands.run(origin, async ({ tx, now, audit }) => {
      if ((await passwordHashOf(tx, citizen.id)) !== stored) throw wrong;
      await noteProof(tx, sessionId, now);
      await audit('identity-verified', citizen.id);
    });
    return { body: {} };
  };
}
