import { challengeNames } from '../identity/names.ts';
import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { consumeToken } from '../credentials/link-tokens.ts';
import { tryCode, useCode } from '../credentials/mailed-codes.ts';
import type { Tx } from '../database/open-store.ts';
import { pendingFactor } from '../credentials/second-factors.ts';
import { activateMethod } from './activate-method.ts';
import { makeEmailChange } from '../contact-data/make-email-change.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';
import { setUpBinding } from '../credentials/set-up-binding.ts';

/**
 * Activates codes by e-mail as a second factor by the code that was mailed for it. With the `uuid` of a requested change of address
 * the code has proven the new address too: the change is made with it.
 */
export function verifyEmailMethod(parts: Parts): Handler<'verifyEmailMethod'> {
  const { store, clock, vault } = parts;
  return async ({ params, body, caller, address, requestId, language }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const factor = await pendingFactor(store.db, citizen.id, 'email', params['method'] ?? '');
    if (factor === null) throw new CallError(404, 'no_encontrado');
    const uuid = text(body['uuid']) || null;
    const binding = setUpBinding(factor.id, uuid);
    const wrong = new CallError(400, 'codigo_incorrecto', { field: 'code' });
    const digest = await tryCode(store, vault, binding, text(body['code']), clock.now());
    if (digest === null) throw wrong;
    const changeEmail = async (tx: Tx, secret: string) => {
      const by = await consumeToken(tx, 'email-code', secret, clock.now());
      return by?.citizenId === citizen.id
        ? makeEmailChange(tx, parts, { by, caller, address, requestId, language })
        : null;
    };
    const codigos = await store.transaction(async (tx) => {
      if (!(await useCode(tx, binding, digest, clock.now()))) throw wrong;
      const owner = uuid === null ? citizen : await changeEmail(tx, uuid);
      if (owner === null) throw new CallError(400, 'vinculo_invalido', { invalidToken: true });
      return activateMethod(tx, parts, {
        factor,
        method: challengeNames.recoveryCode,
        citizen: owner,
        sessionId,
        address,
        requestId,
        language,
      });
    });
    return { body: { activado: true, ...(codigos && { codigos }) } };
  };
}
