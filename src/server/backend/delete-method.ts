import type { Answer } from '../../api/contract.ts';
import type { CallRequest } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { activeFactors, countFactors, type FactorKind } from '../store/second-factors.ts';
import { dropMethod } from './adopt-method.ts';
import { ownCitizen } from './own-citizen.ts';
import { demandsSecondFactor } from './second-factor-rule.ts';

/** What the calls of both kinds have in common. */
type Request = Pick<CallRequest<'deleteTotp'>, 'params' | 'caller' | 'address' | 'requestId' | 'language'>;

/** Removes a second factor with a code; the last second factor of a citizen whose level demands one stays. */
export function deleteMethod(parts: Parts, kind: FactorKind): (request: Request) => Promise<{ readonly body: Answer<'deleteTotp'> }> {
  return async ({ params, caller, address, requestId, language }) => {
    await parts.store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const active = await activeFactors(tx, citizen.id);
      const factor = active[kind];
      if (factor === null || factor.id !== params['method']) throw new CallError(404, 'no_encontrado');
      const isLast = countFactors(active) === 1;
      if (isLast && demandsSecondFactor(citizen)) throw new CallError(409, 'segundo_factor_obligatorio');
      await tx.deleteFrom('second_factors').where('citizen_id', '=', citizen.id).where('kind', '=', kind).execute();
      await dropMethod(tx, parts, { citizen, sessionId, address, requestId, language, isLast, action: 'second-factor-removed', details: { kind } });
    });
    return { body: {} };
  };
}
