import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { pendingFactor, useStep } from '../../trust/credentials/second-factors.ts';
import { totpPurpose, totpStep } from '../../trust/credentials/totp.ts';
import { challengeNames } from '../../trust/identity/names.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Vault } from '../../platform/keys/vault.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { activateMethod } from './activate-method.ts';

/** Activates an authenticator app with its first code, which cannot be used again for a sign-in. */
export function verifyTotp({ commands, vault }: { commands: Commands; vault: Vault }): Handler<'verifyTotp'> {
  return async ({ params, body, caller, origin }) => {
    const codigos = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const factor = await pendingFactor(tx, citizen.id, 'totp', params['method'] ?? '');
      if (factor === null) throw new OperationError(404, 'no_encontrado');
      const step = totpStep(vault.open(totpPurpose(factor.id), factor.secret ?? ''), body.code ?? '', now);
      if (step === null || !(await useStep(tx, factor.id, step)))
        throw new OperationError(400, 'codigo_incorrecto', { field: 'code' });
      return activateMethod(command, vault, { factor, method: challengeNames.totp, citizen, sessionId });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
