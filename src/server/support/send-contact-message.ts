import type { Values } from '../../engine/core/json.ts';
import type { CallRequest, Handler } from '../base/call.ts';
import { after } from '../base/clock.ts';
import { documentId, readDocument, type Document } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import { enqueueMail } from '../mail/outbox.ts';
import { readableTime } from '../mail/templates.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizen, type Citizen } from '../identity/citizens.ts';
import type { Tx } from '../database/open-store.ts';
import { textOf } from '../base/texts.ts';
import { checkDocumentType } from '../identity/check-identity.ts';
import { subjectName } from './get-contact-subjects.ts';
import { text } from '../base/read-text.ts';

/** The most confirmations that one address gets within a day: whoever types it has not proven that it is theirs. */
const mostConfirmations = 3;
const dayS = 24 * 60 * 60;
/** The language of the support. */
const supportLanguage = 'es';

/** The contact form; its fields were checked by the screen's validator before. */
interface Message {
  readonly name: string;
  readonly document: Document;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly text: string;
}

type Request = CallRequest<'sendContactMessage'>;

/** Keeps a message, mails it to the support and confirms it to its sender. Who is signed in is told by the session alone. */
export function sendContactMessage(parts: Parts): Handler<'sendContactMessage'> {
  const { captcha, throttle, store, clock } = parts;
  return async (request) => {
    const { body, address, caller, requestId } = request;
    const message = readMessage(body);
    await captcha.verify(text(body['captcha_response']), 'captcha_response');
    await throttle.admit(
      'contact',
      { address, document: documentId(message.document), email: message.email },
      clock.now(),
    );
    if (subjectName(message.subject, supportLanguage) === null)
      throw new CallError(400, 'asunto_desconocido', { field: 'asunto' });
    await checkDocumentType(store, message.document);
    await store.transaction(async (tx) => {
      const now = clock.now();
      const citizen = caller === null ? null : await findCitizen(tx, caller.citizenId);
      const citizenId = citizen?.id ?? null;
      await mailConfirmation(tx, parts, message, request);
      await tx
        .insertInto('contact_messages')
        .values({
          citizen_id: citizenId,
          name: message.name,
          ...message.document,
          email: message.email,
          phone: message.phone,
          subject: message.subject,
          message: message.text,
          language: request.language,
          created_at: now,
        })
        .execute();
      await mailSupport(tx, parts, message, citizen);
      await appendAudit(tx, {
        at: now,
        action: 'contact-message',
        citizenId,
        address,
        requestId,
        details: { subject: message.subject },
      });
    });
    return { body: {} };
  };
}

function readMessage(body: Values): Message {
  return {
    name: text(body['nombre_completo']).normalize('NFC').trim().replace(/\s+/g, ' '),
    document: readDocument(body['pais_emisor'], body['tipo_documento'], body['numero_documento']),
    email: text(body['email']).trim().toLowerCase(),
    phone: text(body['telefono']).trim(),
    subject: text(body['asunto']),
    text: text(body['mensaje']).trim(),
  };
}

async function mailSupport(
  tx: Tx,
  { config, templates, clock }: Parts,
  message: Message,
  citizen: Citizen | null,
): Promise<void> {
  const now = clock.now();
  const { name, document, email, phone, subject } = message;
  const account =
    citizen === null
      ? textOf('contacto_sin_sesion', supportLanguage)
      : textOf('contacto_con_sesion', supportLanguage, { documento: documentId(citizen) });
  await enqueueMail(
    tx,
    { email: config.supportMailbox, citizenId: null, replyTo: email },
    templates.render('contact-message', supportLanguage, {
      product: config.brand.product,
      when: readableTime(now, supportLanguage),
      subject: subjectName(subject, supportLanguage) ?? subject,
      name,
      document: documentId(document),
      email,
      phone,
      account,
      message: message.text,
    }),
    now,
  );
}

/** Nothing of what was typed stands in it: it must not carry a stranger's words to an address of their choice. */
async function mailConfirmation(
  tx: Tx,
  { config, templates, clock }: Parts,
  { email, subject }: Message,
  { language }: Request,
): Promise<void> {
  const now = clock.now();
  const { count } = await tx
    .selectFrom('contact_messages')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('email', '=', email)
    .where('created_at', '>', after(now, -dayS))
    .executeTakeFirstOrThrow();
  if (count >= mostConfirmations) return;
  await enqueueMail(
    tx,
    { email, citizenId: null },
    templates.render('contact-received', language, {
      product: config.brand.product,
      when: readableTime(now, language),
      subject: subjectName(subject, language) ?? subject,
      support: config.supportMailbox,
    }),
    now,
  );
}
