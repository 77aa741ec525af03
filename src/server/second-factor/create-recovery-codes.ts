import { endOthers } from '../sessions/end-others.ts';
import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { makeRecoveryCodes } from '../credentials/recovery-codes.ts';
import { activeFactors, isActive } from '../credentials/second-factors.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Ten new recovery codes, shown this once, for a citizen who has a second factor; the old ones are void. */
export function createRecoveryCodes(parts: Parts): Handler<'createRecoveryCodes'> {
  const { store, clock, vault } = parts;
  return async ({ caller, address, requestId, language }) => {
    const codigos = await store.transaction(async (tx) => {
      const now = clock.now();
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (!isActive(await activeFactors(tx, citizen.id))) throw new CallError(409, 'sin_segundo_factor');
      await endOthers(tx, citizen.id, now, sessionId);
      await appendAudit(tx, { at: now, action: 'recovery-codes-renewed', citizenId: citizen.id, address, requestId });
      await sendNotice(tx, parts, { name: 'recovery-codes-renewed', citizen, language, sessionId });
      return makeRecoveryCodes(tx, vault, citizen.id, now);
    });
    return { body: { codigos } };
  };
}
