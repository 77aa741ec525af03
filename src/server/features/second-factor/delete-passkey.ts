import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { passkeysOf, removePasskey } from '../../trust/credentials/passkeys.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { dropMethod } from './adopt-method.ts';

/** Removes a passkey, unless it is the last second factor and the level requires one. */
export function deletePasskey({ commands }: { commands: Commands }): Handler<'deletePasskey'> {
  return async ({ params, caller, origin }) => {
    await commands.run(origin, async (command) => {
      const { tx } = command;
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      if (!(await passkeysOf(tx, citizen.id)).some(({ id }) => id === passkey))
        throw new OperationError(404, 'no_encontrado');
      await dropMethod(command, { citizen, sessionId, action: 'passkey-removed' }, async () => {
        await removePasskey(tx, citizen.id, passkey);
        return { passkey };
      });
    });
    return { body: {} };
  };
}
