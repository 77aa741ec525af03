import { revokeClient } from './consents.ts';
import type { Handler } from '../../base/call.ts';
import { CallError } from '../../base/errors.ts';
import type { Parts } from '../../app/parts.ts';
import { appendAudit } from '../../audit/append-audit.ts';
import { sendNotice } from '../../notices/notice-mail.ts';
import { ownCitizen } from '../../identity/own-citizen.ts';

/** Ends what a consent of the citizen allowed; another citizen's consent is as unknown as none. */
export function revokeApplication(parts: Parts): Handler<'revokeApplication'> {
  const { store, clock } = parts;
  return async ({ params, caller, address, requestId, language }) => {
    await store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const consent = await tx
        .selectFrom('consents')
        .select('client_id')
        .where('id', '=', params['consent'] ?? '')
        .where('citizen_id', '=', citizen.id)
        .executeTakeFirst();
      if (consent === undefined || !(await revokeClient(tx, citizen.id, consent.client_id)))
        throw new CallError(404, 'no_encontrado');
      const details = { client: consent.client_id };
      await appendAudit(tx, {
        at: clock.now(),
        action: 'application-revoked',
        citizenId: citizen.id,
        address,
        requestId,
        details,
      });
      await sendNotice(tx, parts, { name: 'application-revoked', citizen, language, sessionId });
    });
    return { body: {} };
  };
}
