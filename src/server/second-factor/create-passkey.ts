import { challengeNames } from '../identity/names.ts';
import type { Handler } from '../base/call.ts';
import { deviceText } from '../base/device.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { readCreation } from '../credentials/ceremonies.ts';
import { takeCeremony } from '../credentials/passkey-challenges.ts';
import { addPasskey, mostPasskeys, passkeysOf } from '../credentials/passkeys.ts';
import { adoptMethod } from './adopt-method.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/** Adds the passkey that the browser made for the ceremony of this session. Without a name it is called as the device. */
export function createPasskey(parts: Parts): Handler<'createPasskey'> {
  const { store, clock, config, throttle } = parts;
  return async ({ body, caller, address, requestId, language, userAgent }) => {
    await throttle.admit('passkey', { address }, clock.now());
    const invalid = new CallError(400, 'llave_invalida', { field: 'credential' });
    const { sessionId } = await ownCitizen(store.db, caller);
    const isOwn = await takeCeremony(store, { purpose: 'register', owner: sessionId }, clock.now());
    const made = isOwn && (await readCreation(config, text(body['credential']), isOwn));
    if (made === null) throw invalid;
    const codigos = await store.transaction(async (tx) => {
      const { citizen } = await ownCitizen(tx, caller);
      if ((await passkeysOf(tx, citizen.id)).length >= mostPasskeys) throw new CallError(409, 'demasiadas_llaves');
      const name = text(body['nombre']).trim() || deviceText(userAgent, language);
      const change = {
        citizen,
        sessionId,
        address,
        requestId,
        language,
        method: challengeNames.passkey,
        action: 'passkey-added',
      } as const;
      return adoptMethod(tx, parts, change, async () => {
        const passkey = await addPasskey(tx, citizen.id, { ...made, name }, clock.now());
        if (passkey === null) throw invalid;
        return { passkey };
      });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
