import type { Handler } from '../../platform/base/operation-request.ts';
import { deviceText } from '../../platform/base/device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { readCreation } from '../../trust/credentials/ceremonies.ts';
import { takeCeremony } from '../../trust/credentials/passkey-challenges.ts';
import { addPasskey, mostPasskeys, passkeysOf } from '../../trust/credentials/passkeys.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { adoptMethod } from './adopt-method.ts';
import type { Parts } from '../parts.ts';

/** Adds the passkey that the browser created in this session's ceremony. Its default name is the device's. */
export function createPasskey({ commands, store, clock, config, vault }: Parts): Handler<'createPasskey'> {
  return async ({ body, caller, origin }) => {
    const invalid = new OperationError(400, 'llave_invalida', { field: 'credential' });
    const { sessionId } = await ownCitizen(store.db, caller);
    const isOwn = await takeCeremony(store, { purpose: 'register', owner: sessionId }, clock.now());
    const made = isOwn && (await readCreation(config, body.credential ?? '', isOwn));
    if (made === null) throw invalid;
    const codigos = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const { citizen } = await ownCitizen(tx, caller);
      if ((await passkeysOf(tx, citizen.id)).length >= mostPasskeys) throw new OperationError(409, 'demasiadas_llaves');
      const name = (body.nombre ?? '').trim() || deviceText(origin.userAgent, origin.language);
      const change = { citizen, sessionId, method: challengeNames.passkey, action: 'passkey-added' } as const;
      return adoptMethod(command, vault, change, async () => {
        const passkey = await addPasskey(tx, citizen.id, { ...made, name }, now);
        if (passkey === null) throw invalid;
        return { passkey };
      });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
