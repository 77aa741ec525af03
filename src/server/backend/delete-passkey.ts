import type { Handler } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { removePasskey } from '../store/passkeys.ts';
import { activeFactors, countFactors } from '../store/second-factors.ts';
import { dropMethod } from './adopt-method.ts';
import { ownCitizen } from './own-citizen.ts';
import { demandsSecondFactor } from './second-factor-rule.ts';

/** Removes a passkey; the last second factor of a citizen whose level demands one stays. */
export function deletePasskey(parts: Parts): Handler<'deletePasskey'> {
  return async ({ params, caller, address, requestId, language }) => {
    await parts.store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const passkey = params['llave'] ?? '';
      const isLast = countFactors(await activeFactors(tx, citizen.id)) === 1;
      if (!await removePasskey(tx, citizen.id, passkey)) throw new CallError(404, 'no_encontrado');
      if (isLast && demandsSecondFactor(citizen)) throw new CallError(409, 'segundo_factor_obligatorio');
      await dropMethod(tx, parts, { citizen, sessionId, address, requestId, language, isLast, action: 'passkey-removed', details: { passkey } });
    });
    return { body: {} };
  };
}
