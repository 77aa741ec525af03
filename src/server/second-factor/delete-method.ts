import type { Answer } from '../../contract/contract.ts';
import type { CallRequest } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { activeFactors, type FactorKind } from '../credentials/second-factors.ts';
import { dropMethod } from './adopt-method.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** What the calls of both kinds have in common. */
type Request = Pick<CallRequest<'deleteTotp'>, 'params' | 'caller' | 'address' | 'requestId' | 'language'>;

/** Removes a second factor with a code; the last second factor of a citizen whose level demands one stays. */
export function deleteMethod(
  parts: Parts,
  kind: FactorKind,
): (request: Request) => Promise<{ readonly body: Answer<'deleteTotp'> }> {
  return async ({ params, caller, address, requestId, language }) => {
    await parts.store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const factor = (await activeFactors(tx, citizen.id))[kind];
      if (factor === null || factor.id !== params['method']) throw new CallError(404, 'no_encontrado');
      await dropMethod(
        tx,
        parts,
        { citizen, sessionId, address, requestId, language, action: 'second-factor-removed' },
        async () => {
          await tx.deleteFrom('second_factors').where('citizen_id', '=', citizen.id).where('kind', '=', kind).execute();
          return { kind };
        },
      );
    });
    return { body: {} };
  };
}
