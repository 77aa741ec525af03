import { challengeNames } from '../identity/names.ts';
import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import { totpPurpose, totpStep } from '../credentials/totp.ts';
import type { Parts } from '../app/parts.ts';
import { pendingFactor, useStep } from '../credentials/second-factors.ts';
import { activateMethod } from './activate-method.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/** Activates an authenticator app by its first code, which a sign-in then refuses. */
export function verifyTotp(parts: Parts): Handler<'verifyTotp'> {
  const { store, clock, vault } = parts;
  return async ({ params, body, caller, address, requestId, language }) => {
    const codigos = await store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const factor = await pendingFactor(tx, citizen.id, 'totp', params['method'] ?? '');
      if (factor === null) throw new CallError(404, 'no_encontrado');
      const step = totpStep(vault.open(totpPurpose(factor.id), factor.secret ?? ''), text(body['code']), clock.now());
      if (step === null || !(await useStep(tx, factor.id, step)))
        throw new CallError(400, 'codigo_incorrecto', { field: 'code' });
      return activateMethod(tx, parts, {
        factor,
        method: challengeNames.totp,
        citizen,
        sessionId,
        address,
        requestId,
        language,
      });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
