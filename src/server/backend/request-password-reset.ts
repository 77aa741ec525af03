import { href } from '../../api/href.ts';
import type { CallRequest, Handler } from '../call.ts';
import { after } from '../clock.ts';
import { documentId, readDocument, type Document } from '../document.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../parts.ts';
import { appendAudit } from '../store/audit.ts';
import { findCitizenByDocument, type Citizen } from '../store/citizens.ts';
import { issueToken } from '../store/link-tokens.ts';
import type { Tx } from '../store/open-store.ts';
import { maskEmail } from './mask-email.ts';
import { text } from './registration-form.ts';

const lifeS = 30 * 60;

/** Mails a link for a new password; the answer and its time are the same whatever the state of the account, or without one. */
export function requestPasswordReset(parts: Parts): Handler<'requestPasswordReset'> {
  const { captcha, throttle, clock, store, config } = parts;
  return async (request) => {
    const { body, address } = request;
    const document = readDocument(body['pais_emisor'], body['tipo_doc'], body['doc']);
    await captcha.verify(text(body['captcha_response']), 'captcha_response');
    await throttle.admit('reset', { address, document: documentId(document) }, clock.now());
    const told = config.resetShowsEmail ? mailbox(await findCitizenByDocument(store.db, document)) : null;
    return {
      body: told === null ? {} : { email: maskEmail(told) },
      after: () => mailLink(parts, document, request),
    };
  };
}

/** Only an address that its citizen has verified may open the account. */
function mailbox(citizen: Citizen | null): string | null {
  return citizen?.email_verified_at ? citizen.email : null;
}

async function mailLink(parts: Parts, document: Document, request: CallRequest<'requestPasswordReset'>): Promise<void> {
  const { store, clock } = parts;
  await store.transaction(async (tx) => {
    const citizen = await findCitizenByDocument(tx, document);
    const email = mailbox(citizen);
    if (citizen === null || email === null) return;
    await enqueueMail(tx, email, await resetMail(tx, parts, citizen, email, request.language), clock.now());
    const { address, requestId } = request;
    await appendAudit(tx, { at: clock.now(), action: 'reset-requested', citizenId: citizen.id, address, requestId });
  });
}

async function resetMail(tx: Tx, { config, templates, clock }: Parts, citizen: Citizen, email: string, language: 'es' | 'pt') {
  const now = clock.now();
  const token = await issueToken(tx, { purpose: 'reset', citizenId: citizen.id, subject: email, now, lifeS });
  return templates.render('reset-password', language, {
    product: config.brand.product,
    name: citizen.first_name,
    link: href('/contraseña/restablecer/nueva-contraseña', { token }, config.baseUrl),
    expires: readableTime(after(now, lifeS), language),
  });
}
