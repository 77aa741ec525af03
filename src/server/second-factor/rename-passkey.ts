import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import { renamePasskey as rename } from '../credentials/passkeys.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Commands } from '../notices/commands.ts';

/** Gives a passkey of the citizen another name. */
export function renamePasskey({ commands }: { commands: Commands }): Handler<'renamePasskey'> {
  return async ({ params, body, caller, origin }) => {
    await commands.run(origin, async ({ tx, audit }) => {
      const { citizen } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      if (!(await rename(tx, citizen.id, passkey, (body.nombre ?? '').trim())))
        throw new CallError(404, 'no_encontrado');
      await audit('passkey-renamed', citizen.id, { passkey });
    });
    return { body: {} };
  };
}
