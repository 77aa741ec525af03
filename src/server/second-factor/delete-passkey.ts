import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { passkeysOf, removePasskey } from '../credentials/passkeys.ts';
import { dropMethod } from './adopt-method.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Removes a passkey; the last second factor of a citizen whose level demands one stays. */
export function deletePasskey(parts: Parts): Handler<'deletePasskey'> {
  return async ({ params, caller, address, requestId, language }) => {
    await parts.store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      if (!(await passkeysOf(tx, citizen.id)).some(({ id }) => id === passkey))
        throw new CallError(404, 'no_encontrado');
      await dropMethod(
        tx,
        parts,
        { citizen, sessionId, address, requestId, language, action: 'passkey-removed' },
        async () => {
          await removePasskey(tx, citizen.id, passkey);
          return { passkey };
        },
      );
    });
    return { body: {} };
  };
}
