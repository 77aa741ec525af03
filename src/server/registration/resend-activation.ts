import type { Language } from '../../contract/portal-config.ts';
import type { CallRequest, Handler } from '../base/call.ts';
import { documentId, readDocument, type Document } from '../base/document.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizenByDocument } from '../identity/citizens.ts';
import { keepIf } from '../database/keep-if.ts';
import { sendActivationMail } from './activation-mail.ts';
import { text } from '../base/read-text.ts';
import { issueResendRight } from './resend-right.ts';

/** Where a request came from, for the audit log, and the language of its mail. */
type Origin = Pick<CallRequest<'resendActivation'>, 'address' | 'requestId'> & { readonly language: Language };

/** Sends the activation mail again; the answer and its time are the same whether an account waits for it or not. */
export function resendActivation(parts: Parts): Handler<'resendActivation'> {
  const { captcha, throttle, store, clock } = parts;
  return async ({ body, address, requestId, language }) => {
    const document = readDocument(body['pais_emisor'], body['tipo_doc'], body['doc']);
    await captcha.verify(text(body['captcha_response']), 'captcha_response');
    await throttle.admit('resend', { address, document: documentId(document) }, clock.now());
    const reenvio = await store.transaction((tx) => issueResendRight(tx, parts, documentId(document)));
    return {
      body: { resended: true, reenvio },
      after: () => mailIfWaiting(parts, document, { address, requestId, language }),
    };
  };
}

/** Sends the mail to whoever holds the document and waits for it. For anybody else it costs the same, and leaves nothing. */
export async function mailIfWaiting(
  parts: Parts,
  document: Document,
  { address, requestId, language }: Origin,
): Promise<void> {
  await keepIf(parts.store, async (tx) => {
    const citizen = await findCitizenByDocument(tx, document);
    await sendActivationMail(
      tx,
      parts,
      { id: citizen?.id ?? null, name: citizen?.first_name ?? '', email: citizen?.email ?? '' },
      language,
    );
    await appendAudit(tx, {
      at: parts.clock.now(),
      action: 'resend-activation',
      citizenId: citizen?.id ?? null,
      address,
      requestId,
    });
    return citizen !== null && citizen.email !== null && citizen.email_verified_at === null;
  });
}
