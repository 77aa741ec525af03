import type { Body } from '../../../contract/contract.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { readDocument, type Document } from '../../platform/base/document.ts';
import { readEmail } from '../../platform/base/read-text.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { checkDocumentType } from '../../trust/identity/check-identity.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { callAnswer, readCall } from './calls.ts';
import { bookCall, type WantedCall } from './book-call.ts';
import type { CallMails } from './call-mails.ts';
import { moveCall } from './move-call.ts';
import type { Handler } from '../parts.ts';

/**
 * Reserves a support call. For a signed-in citizen, the identity comes from the account, not from the form. An account can have one upcoming call, so
 * that nobody fills the agenda. Without a session, the same applies to a document and to a mailbox (errors of section 8.4 of the specification).
 */
export const bookSupportCall: Handler<'bookSupportCall'> = async (
  { commands, store, config, callMails },
  { body, extra = [], caller, origin },
) => {
  const { provenEmail, ...own } = await wantedCall(store, body, caller);
  const wanted = { ...own, extra };
  if (caller === null) await checkDocumentType(store, wanted.document);
  const call = await commands.run(origin, async (command) => {
    await lapseUnproven(command, callMails, { ...wanted, provenEmail });
    const booked = await bookCall(command, config, wanted, 'Reservado');
    await callMails.send(command, 'call-reserved', booked);
    return booked;
  });
  return { body: callAnswer(call) };
};

/** Verified address of the signed-in citizen's account. `null` if there is none. */
interface ProvenEmail {
  readonly provenEmail: string | null;
}

/** Ends unconfirmed anonymous reservations with the document or the verified mailbox of the signed-in citizen, who takes precedence. */
async function lapseUnproven(
  command: Command,
  callMails: CallMails,
  { citizenId, document: { country, type, number }, provenEmail }: WantedCall<'support'> & ProvenEmail,
): Promise<void> {
  if (citizenId === null) return;
  const rows = await command.tx
    .selectFrom('video_calls')
    .selectAll()
    .where('kind', '=', 'support')
    .where('state', '=', 'Reservado')
    .where('citizen_id', 'is', null)
    .where(({ eb, or, and }) =>
      or([
        ...(provenEmail === null ? [] : [eb('email', '=', provenEmail)]),
        and([eb('country', '=', country), eb('type', '=', type), eb('number', '=', number)]),
      ]),
    )
    .execute();
  for (const row of rows) {
    const lapsed = await moveCall(command, { ...readCall(row), kind: 'support' }, 'lapse', { reason: 'gave way' });
    if (lapsed !== null) await callMails.moved(command, lapsed, 'lapse');
  }
}

async function wantedCall(
  store: Store,
  body: Body<'bookSupportCall'>,
  caller: Caller | null,
): Promise<Omit<WantedCall<'support'>, 'extra'> & ProvenEmail> {
  const typed = {
    kind: 'support',
    date: body.fecha ?? '',
    time: body.hora ?? '',
    email: readEmail(body.correo_electronico),
    phone: (body.numero_telefono ?? '').trim(),
    subject: body.asunto ?? '',
    message: (body.mensaje ?? '').trim(),
  } as const;
  if (caller === null) {
    return {
      ...typed,
      provenEmail: null,
      citizenId: null,
      name: (body.nombre_completo ?? '').normalize('NFC').trim().replace(/\s+/g, ' '),
      document: readDocument(body.pais_emisor, body.tipo_documento, body.numero_documento),
    };
  }
  const { citizen } = await ownCitizen(store.db, caller);
  const document: Document = { country: citizen.country, type: citizen.type, number: citizen.number };
  return {
    ...typed,
    citizenId: citizen.id,
    name: fullName(citizen),
    document,
    email: citizen.email ?? typed.email,
    provenEmail: citizen.email_verified_at === null ? null : citizen.email,
    phone: citizen.phone ?? typed.phone,
  };
}
