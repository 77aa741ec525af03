import type { Handler } from '../base/call.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';

/** Takes the wish to close the account back; where there is none, nothing happens. */
export function keepAccount(parts: Parts): Handler<'keepAccount'> {
  const { store, clock } = parts;
  return async ({ caller, address, requestId, language }) => {
    await store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const kept = await tx
        .updateTable('citizens')
        .set({ closing_at: null })
        .where('id', '=', citizen.id)
        .where('closing_at', 'is not', null)
        .returning('id')
        .executeTakeFirst();
      if (kept === undefined) return;
      await appendAudit(tx, {
        at: clock.now(),
        action: 'closure-cancelled',
        citizenId: citizen.id,
        address,
        requestId,
      });
      await sendNotice(tx, parts, { name: 'closure-cancelled', citizen, language, sessionId });
    });
    return { body: {} };
  };
}
