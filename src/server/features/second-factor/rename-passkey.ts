import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { renamePasskey as rename } from '../../trust/credentials/passkeys.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';

export function renamePasskey({ commands }: { commands: Commands }): Handler<'renamePasskey'> {
  return async ({ params, body, caller, origin }) => {
    await commands.run(origin, async ({ tx, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      if (!(await rename(tx, citizen.id, passkey, (body.nombre ?? '').trim())))
        throw new OperationError(404, 'no_encontrado');
      await audit('passkey-renamed', citizen.id, { passkey });
    });
    return { body: {} };
  };
}
