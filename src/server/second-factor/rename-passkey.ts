import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { renamePasskey as rename } from '../credentials/passkeys.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/** Gives a passkey of the citizen another name. */
export function renamePasskey({ store, clock }: Parts): Handler<'renamePasskey'> {
  return async ({ params, body, caller, address, requestId }) => {
    await store.transaction(async (tx) => {
      const { citizen } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      if (!(await rename(tx, citizen.id, passkey, text(body['nombre']).trim())))
        throw new CallError(404, 'no_encontrado');
      await appendAudit(tx, {
        at: clock.now(),
        action: 'passkey-renamed',
        citizenId: citizen.id,
        address,
        requestId,
        details: { passkey },
      });
    });
    return { body: {} };
  };
}
