import type { Handler } from '../../platform/base/operation-request.ts';
import { deviceText } from '../../platform/base/device.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { creationOptions } from '../../trust/credentials/ceremonies.ts';
import { storeCeremony } from '../../trust/credentials/passkey-challenges.ts';
import { handleOf, mostPasskeys } from '../../trust/credentials/passkeys.ts';
import { activeFactors } from '../../trust/credentials/second-factors.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { demandFactor } from './demand-factor.ts';

/** Starts the registration of a passkey in this session. Voids a pending ceremony. */
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
      const active = await activeFactors(tx, citizen.id);
      await demandFactor(tx, sessionId, active);
      const known = active.passkeys;
      if (known.length >= mostPasskeys) throw new OperationError(409, 'demasiadas_llaves');
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
