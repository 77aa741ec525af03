import type { Answer } from '../../api/contract.ts';
import { endOthers } from '../broker/end-others.ts';
import type { CallRequest } from '../call.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import { dropRecoveryCodes } from '../store/recovery-codes.ts';
import { activeFactors, type FactorKind } from '../store/second-factors.ts';
import { sendNotice } from './notice-mail.ts';
import { ownCitizen } from './own-citizen.ts';
import { demandsSecondFactor } from './second-factor-rule.ts';

/** What the calls of both kinds have in common. */
type Request = Pick<CallRequest<'deleteTotp'>, 'params' | 'caller' | 'address' | 'requestId' | 'language'>;

const others: Readonly<Record<FactorKind, FactorKind>> = { totp: 'email', email: 'totp' };

/** Removes a second factor; the last one of a citizen whose level demands one stays. */
export function deleteMethod(parts: Parts, kind: FactorKind): (request: Request) => Promise<{ readonly body: Answer<'deleteTotp'> }> {
  const { store, clock } = parts;
  return async ({ params, caller, address, requestId, language }) => {
    await store.transaction(async (tx) => {
      const now = clock.now();
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const active = await activeFactors(tx, citizen.id);
      const factor = active[kind];
      if (factor === null || factor.id !== params['method']) throw new CallError(404, 'no_encontrado');
      const isLast = active[others[kind]] === null;
      if (isLast && demandsSecondFactor(citizen)) throw new CallError(409, 'segundo_factor_obligatorio');
      await tx.deleteFrom('second_factors').where('citizen_id', '=', citizen.id).where('kind', '=', kind).execute();
      if (isLast) await dropRecoveryCodes(tx, citizen.id);
      await endOthers(tx, citizen.id, now, sessionId);
      await appendAudit(tx, { at: now, action: 'second-factor-removed', citizenId: citizen.id, address, requestId, details: { kind } });
      await sendNotice(tx, parts, { name: 'second-factor-removed', citizen, language });
    });
    return { body: {} };
  };
}
