import type { Answer } from '../../../contract/contract.ts';
import type { OperationRequest } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { passwordHashOf } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { demandProof } from '../../trust/sessions/identity-proof.ts';
import { changePassword } from './change-password.ts';
import type { Parts } from '../parts.ts';

/** Common part of the requests at both addresses. */
type Request = Pick<OperationRequest<'updatePassword'>, 'body' | 'caller' | 'origin'>;

/** Changes the citizen's password after checking the current one. Ends every other session. */
export function updatePassword(
  needs: Parts,
): (request: Request) => Promise<{ readonly body: Answer<'updatePassword'> }> {
  const { commands, store, passwords, config } = needs;
  return async ({ body, caller, origin }) => {
    if (!config.flags.contrasena) throw new OperationError(403, 'sin_permiso');
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const password = body.new_pass ?? '';
    if (await passwords.verify(await passwordHashOf(store.db, citizen.id), password)) {
      throw new OperationError(400, 'contrasena_repetida', { field: 'new_pass' });
    }
    const passwordHash = await passwords.hash(password, 'new_pass');
    await commands.run(origin, async (command) => {
      const { tx, audit } = command;
      await demandProof(needs, tx, 'updatePassword', { caller, body }); // the session may have ended during the hashing
      const current = await ownCitizen(tx, caller);
      await changePassword(command, { citizen: current.citizen, passwordHash, keep: sessionId });
      await audit('change-password', citizen.id);
    });
    return { body: {} };
  };
}
