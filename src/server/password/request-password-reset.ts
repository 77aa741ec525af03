import { href } from '../../contract/href.ts';
import type { Language } from '../../contract/portal-config.ts';
import type { CallRequest, Handler } from '../base/call.ts';
import { after } from '../base/clock.ts';
import { documentId, readDocument, type Document } from '../base/document.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizenByDocument, type Citizen } from '../identity/citizens.ts';
import { issueToken } from '../credentials/link-tokens.ts';
import { keepIf } from '../database/keep-if.ts';
import type { Tx } from '../database/open-store.ts';
import { maskEmail } from '../identity/mask-email.ts';
import { text } from '../base/read-text.ts';
import { portalPages } from '../base/portal-pages.ts';

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

// A document without an account costs what one with an account does, and leaves nothing: also the next call cannot tell them apart.
async function mailLink(
  parts: Parts,
  document: Document,
  { address, requestId, language }: CallRequest<'requestPasswordReset'>,
): Promise<void> {
  const { store, clock } = parts;
  await keepIf(store, async (tx) => {
    const citizen = await findCitizenByDocument(tx, document);
    const email = mailbox(citizen);
    await mailResetLink(tx, parts, { citizen, email: email ?? '', language });
    await appendAudit(tx, {
      at: clock.now(),
      action: 'reset-requested',
      citizenId: citizen?.id ?? null,
      address,
      requestId,
    });
    return email !== null;
  });
}

/** Whose password a link is for, and where it is mailed. */
interface Recipient {
  readonly citizen: Citizen | null;
  readonly email: string;
  readonly language: Language;
}

async function mailResetLink(tx: Tx, parts: Parts, recipient: Recipient): Promise<void> {
  const { config, templates, clock } = parts;
  const { citizen, email, language } = recipient;
  const issued = await issueResetLink(tx, parts, recipient);
  await enqueueMail(
    tx,
    { email, citizenId: citizen?.id ?? null },
    templates.render('reset-password', language, {
      product: config.brand.product,
      name: citizen?.first_name ?? '',
      ...issued,
    }),
    clock.now(),
  );
}

/** Issues a link for a new password, good for the address that it is mailed to; answers it, and when it ends in words. */
export async function issueResetLink(
  tx: Tx,
  { config, clock }: Parts,
  { citizen, email, language }: Recipient,
): Promise<{ link: string; expires: string }> {
  const now = clock.now();
  const token = await issueToken(tx, { purpose: 'reset', citizenId: citizen?.id ?? null, subject: email, now, lifeS });
  return {
    link: href(portalPages.newPassword, { token }, config.baseUrl),
    expires: readableTime(after(now, lifeS), language),
  };
}
