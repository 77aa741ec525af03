import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizen } from '../identity/citizens.ts';
import { pendingEmail } from '../credentials/email-changes.ts';
import { sendEmailChangeMail } from '../contact-data/email-change-mail.ts';
import { mailIfWaiting } from './resend-activation.ts';

/**
 * Sends the validation mail of the signed-in citizen again: the link of a requested change, else the one that validates the own address.
 * `resended` is false when there is nothing to validate.
 */
export function resendOwnActivation(parts: Parts): Handler<'resendOwnActivation'> {
  const { store, clock, throttle } = parts;
  return async ({ params, address, requestId, language }) => {
    const citizen = await findCitizen(store.db, params['id'] ?? '');
    if (citizen === null) throw new CallError(404, 'no_encontrado');
    const pending = await pendingEmail(store.db, citizen.id);
    if (pending !== null) {
      await throttle.admit('resend', { address, document: documentId(citizen) }, clock.now());
      await store.transaction(async (tx) => {
        const email = await pendingEmail(tx, citizen.id);
        if (email === null) return;
        await sendEmailChangeMail(tx, parts, { citizen, email, language });
        await appendAudit(tx, {
          at: clock.now(),
          action: 'resend-email-change',
          citizenId: citizen.id,
          address,
          requestId,
        });
      });
      return { body: { resended: true } };
    }
    if (citizen.email === null || citizen.email_verified_at !== null) return { body: { resended: false } };
    await throttle.admit('resend', { address, document: documentId(citizen) }, clock.now());
    await mailIfWaiting(parts, citizen, { address, requestId, language });
    return { body: { resended: true } };
  };
}
