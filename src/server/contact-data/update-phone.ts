import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

/** Changes the phone number of who is signed in; none removes it. There is no such call while telefono_autogestion is off. */
export function updatePhone(parts: Parts): Handler<'updatePhone'> {
  const { store, clock, throttle, config } = parts;
  return async ({ body, caller, address, requestId, language }) => {
    if (!config.flags.telefono_autogestion) throw new CallError(404, 'no_encontrado');
    const counted = await ownCitizen(store.db, caller);
    await throttle.admit('changeAccount', { address, document: documentId(counted.citizen) }, clock.now());
    const phone = text(body['numero_telefono']).trim() || null;
    await store.transaction(async (tx) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (citizen.phone === phone) return;
      await sendNotice(tx, parts, { name: 'phone-changed', citizen, language, sessionId });
      await tx.updateTable('citizens').set({ phone }).where('id', '=', citizen.id).execute();
      await appendAudit(tx, { at: clock.now(), action: 'change-phone', citizenId: citizen.id, address, requestId });
    });
    return { body: { numero_telefono: phone } };
  };
}
