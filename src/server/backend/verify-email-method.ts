import { challengeNames } from '../broker/challenges/names.ts';
import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { tryCode, useCode } from '../store/mailed-codes.ts';
import { pendingFactor } from '../store/second-factors.ts';
import { activateMethod } from './activate-method.ts';
import { ownCitizen } from './own-citizen.ts';
import { text } from './registration-form.ts';

/** Activates codes by e-mail as a second factor by the code that was mailed for it. */
export function verifyEmailMethod(parts: Parts): Handler<'verifyEmailMethod'> {
  const { store, clock, vault } = parts;
  return async ({ params, body, caller, address, requestId, language }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const factor = await pendingFactor(store.db, citizen.id, 'email', params['method'] ?? '');
    if (factor === null) throw new CallError(404, 'no_encontrado');
    const binding = { purpose: 'set-up', owner: factor.id } as const;
    const wrong = new CallError(400, 'codigo_incorrecto', { field: 'code' });
    const digest = await tryCode(store, vault, binding, text(body['code']), clock.now());
    if (digest === null) throw wrong;
    const codigos = await store.transaction(async (tx) => {
      if (!await useCode(tx, binding, digest, clock.now())) throw wrong;
      return activateMethod(tx, parts, { factor, method: challengeNames.recoveryCode, citizen, sessionId, address, requestId, language });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
