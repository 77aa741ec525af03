import type { Handler } from '../base/call.ts';
import { deviceText } from '../base/device.ts';
import { CallError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import { creationOptions } from '../credentials/ceremonies.ts';
import { storeCeremony } from '../credentials/passkey-challenges.ts';
import { handleOf, mostPasskeys, passkeysOf } from '../credentials/passkeys.ts';
import { fullName } from '../identity/citizens.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Commands } from '../notices/commands.ts';

/** Begins the making of a passkey in this session; a ceremony that still waits is void. */
export function createPasskeyOptions({
  commands,
  config,
}: {
  commands: Commands;
  config: Config;
}): Handler<'createPasskeyOptions'> {
  return async ({ caller, origin }) =>
    commands.run(origin, async ({ tx, now }) => {
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
      await storeCeremony(tx, { purpose: 'register', owner: sessionId }, options.challenge, now);
      return { body: { options: { ...options }, nombre: deviceText(origin.userAgent, origin.language) } };
    });
}
