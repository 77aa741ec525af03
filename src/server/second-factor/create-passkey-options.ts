import type { Handler } from '../base/call.ts';
import { deviceText } from '../base/device.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { creationOptions } from '../credentials/ceremonies.ts';
import { fullName } from '../identity/citizens.ts';
import { storeCeremony } from '../credentials/passkey-challenges.ts';
import { handleOf, mostPasskeys, passkeysOf } from '../credentials/passkeys.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Begins the making of a passkey in this session; a ceremony that still waits is void. */
export function createPasskeyOptions(parts: Parts): Handler<'createPasskeyOptions'> {
  const { store, clock, config, throttle } = parts;
  return async ({ caller, address, userAgent, language }) => {
    await throttle.admit('passkey', { address }, clock.now());
    return store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const known = await passkeysOf(tx, citizen.id);
      if (known.length >= mostPasskeys) throw new CallError(409, 'demasiadas_llaves');
      const handle = await handleOf(tx, citizen.id);
      const options = await creationOptions(config, {
        handle,
        name: citizen.number,
        displayName: fullName(citizen),
        known,
      });
      await storeCeremony(tx, { purpose: 'register', owner: sessionId }, options.challenge, clock.now());
      return { body: { options: { ...options }, nombre: deviceText(userAgent, language) } };
    });
  };
}
