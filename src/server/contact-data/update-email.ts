import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { storeEmailChange } from '../credentials/email-changes.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import { sendEmailChangeMail } from './email-change-mail.ts';
import { sendNotice } from '../notices/notice-mail.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { text } from '../base/read-text.ts';

const codeRightLifeS = 60 * 60;

/**
 * Notes a new address for who is signed in, in place of one that was asked for before; the account keeps its own until the new one
 * is confirmed by the link that is mailed there or, where a second factor is set up with it, by a mailed code. An address that
 * other accounts have is none the less welcome (registration knows no difference either), so the answer tells nothing of them.
 */
export function updateEmail(parts: Parts): Handler<'updateEmail'> {
  const { store, clock, throttle } = parts;
  return async ({ body, caller, address, requestId, language }) => {
    const { citizen, sessionId } = await ownCitizen(store.db, caller);
    const byCode = body['second_factor_flow'] === true;
    const email = text(body['email']).trim().toLowerCase();
    if (email === citizen.email) throw new CallError(400, 'correo_igual', { field: 'email' });
    await throttle.admit('changeEmail', { address, document: documentId(citizen) }, clock.now());
    const uuid = await store.transaction(async (tx) => {
      const now = clock.now();
      await storeEmailChange(tx, citizen.id, email, now);
      if (!byCode) await sendEmailChangeMail(tx, parts, { citizen, email, language });
      await sendNotice(tx, parts, { name: 'email-change-requested', citizen, language, sessionId });
      await appendAudit(tx, { at: now, action: 'email-change-requested', citizenId: citizen.id, address, requestId });
      return issueToken(tx, {
        purpose: 'email-code',
        citizenId: citizen.id,
        subject: email,
        now,
        lifeS: codeRightLifeS,
      });
    });
    return { body: { uuid } };
  };
}
