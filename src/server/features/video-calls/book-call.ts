import type { OperationBody } from '../../../contract/contract.ts';
import { type Caller, serializeExtraFields, type ExtraField } from '../../platform/base/operation-request.ts';
import { normalizeDocument, type IdentityDocument } from '../../platform/base/identity-document.ts';
import { normalizeEmail } from '../../platform/base/normalize-input.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { assertDocumentTypeIssued } from '../../trust/identity/verify-identity.ts';
import { formatFullName } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import {
  toCallResponse,
  toVideoCall,
  applyCallTransition,
  notifyCallChanged,
  cancelledOrExpiredCallStates,
  type VideoCall,
} from './call-records.ts';
import type { CallMails } from './call-mails.ts';
import type { ResponseBodyHandler } from '../handler-context.ts';
import { randomInt, randomUUID } from 'node:crypto';
import { portalConstants } from '../../../contract/constants.ts';
import {
  findFreeSlotPlace,
  countSlotPlaces,
  hashClientNetwork,
  assertReservationAllowed,
  createBookingLimitError,
} from '../agenda/availability.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { parseUruguayInstant, isIsoDate } from '../../../contract/format/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import { normalizeMailbox, buildNormalizedMailboxSql } from '../../trust/abuse/mail-allowance.ts';
import type { CallState } from './call-states.ts';

/** Error codes if no slot is free (specification, sections 8.4 and 8.5). */
const noPlaceCodes = { support: 'sin_cupos', elevation: 'cupo_ocupado' } as const satisfies Record<CallKind, string>;

/**
 * Books a call. An unconfirmed reservation keeps its place for two hours (specification, section 9). Unique indexes allow one call per place
 * number and one upcoming call per person. Tries a random place number before it reads which numbers are free, so that concurrent bookings
 * conflict only if they choose the same number.
 */
export async function bookVideoCall(
  command: DatabaseCommand,
  config: Pick<Config, 'agenda'>,
  request: CallBookingRequest,
  state: Extract<CallState, 'Reservado' | 'Agendado'>,
): Promise<VideoCall> {
  const { tx, now } = command;
  const { kind: agenda } = request;
  const startsAt = parseStart(request);
  await assertNoRepeatedWithdrawals(command, request);
  const call = { startsAt, endsAt: addSeconds(startsAt, config.agenda[agenda].minutes * 60), state };
  const places = await countSlotPlaces(tx, config, { agenda, startsAt }, now);
  const first = places === 0 ? null : await insertVideoCall(command, request, call, randomInt(places) + 1);
  if (first === null) await assertNoUpcomingCall(tx, request);
  const free = first === null ? await findFreeSlotPlace(tx, { agenda, startsAt }, places) : null;
  const booked = first ?? (free === null ? null : await insertVideoCall(command, request, call, free));
  if (booked === null) throw new OperationError(409, noPlaceCodes[agenda]);
  if (isUnconfirmed(request, state)) await assertReservationAllowed(command, config, { agenda, startsAt });
  return booked;
}

/** Maximum number of a citizen's calls that were booked within a day and then cancelled or expired. Further bookings are rejected. */
export const maxWithdrawnCallsPerDay = 5;

/** Throws if a citizen repeatedly books and cancels, because each booking occupies a slot and sends mails. */
async function assertNoRepeatedWithdrawals({ tx, now }: DatabaseCommand, { citizenId }: CallBookingRequest) {
  if (citizenId === null) return;
  const rows = await tx
    .selectFrom('video_calls')
    .select('created_at')
    .where('citizen_id', '=', citizenId)
    .where('created_at', '>', addSeconds(now, -secondsPerDay))
    .where('state', 'in', cancelledOrExpiredCallStates)
    .execute();
  const ends = rows.map(({ created_at: at }) => addSeconds(at, secondsPerDay));
  if (rows.length >= maxWithdrawnCallsPerDay) throw createBookingLimitError(ends, now, 'muchas_canceladas');
}

function isUnconfirmed({ citizenId }: Pick<CallBookingRequest, 'citizenId'>, state: CallState): boolean {
  return citizenId === null && state === 'Reservado';
}

/**
 * Returns the number of reminders for which it is too late. Returns 1 if the call starts within a day, because of the reminder a day before, and
 * otherwise 0.
 */
export function countSkippedReminders(startsAt: Date, now: Date): number {
  return addSeconds(now, secondsPerDay) >= startsAt ? 1 : 0;
}

/** Inserts a call, audits it and notifies the desk. Returns `null` if the place number is taken, or if the person already has an upcoming call. */
export async function insertVideoCall(
  { tx, now, origin, audit }: DatabaseCommand,
  { kind, document, citizenId, name, email, phone, subject, message, extra }: Omit<CallBookingRequest, 'date' | 'time'>,
  { startsAt, endsAt, state }: { startsAt: Date; endsAt: Date; state: CallState },
  place: number,
): Promise<VideoCall | null> {
  const row = await tx
    .insertInto('video_calls')
    .values({
      id: randomUUID(),
      kind,
      state,
      starts_at: startsAt,
      ends_at: endsAt,
      place,
      citizen_id: citizenId,
      ...document,
      name,
      email,
      mailbox: normalizeMailbox(email),
      network: isUnconfirmed({ citizenId }, state) ? hashClientNetwork(origin.address) : null,
      phone,
      subject,
      message,
      extra: serializeExtraFields(extra),
      language: origin.language,
      created_at: now,
      confirm_by: state === 'Reservado' ? addSeconds(now, portalConstants.reservationConfirmHours * 60 * 60) : null,
      reminders: countSkippedReminders(startsAt, now),
    })
    .onConflict((conflict) => conflict.doNothing()) // if the conflicting row was committed after the snapshot, a serialization failure repeats the transaction
    .returningAll()
    .executeTakeFirst();
  if (row === undefined) return null;
  await audit(`${kind}-call-book`, citizenId, { call: row.id, state });
  await notifyCallChanged(tx, row.id);
  return toVideoCall(row);
}

function parseStart({ date, time }: CallBookingRequest): Date {
  if (!isIsoDate(date) || !/^([01]\d|2[0-3]):[0-5]\d(:00)?$/.test(time))
    throw new OperationError(400, 'horario_invalido', { field: 'hora' });
  return parseUruguayInstant(date, time);
}

/**
 * Throws a 409 if the account, the e-mail address or the document already has an upcoming call, so that nobody can fill the agenda. The error code
 * states which of the three has one (specification, sections 8.4 and 8.5). For a signed-in citizen's support call, only the account counts,
 * because anybody can enter another person's document and e-mail address.
 */
async function assertNoUpcomingCall(tx: Tx, { kind, citizenId, email, document }: CallBookingRequest): Promise<void> {
  const { country, type, number } = document;
  const live = await tx
    .selectFrom('video_calls')
    .select(['citizen_id', 'email'])
    .where('kind', '=', kind)
    .where('place', 'is not', null)
    .where(({ eb, or, and }) => {
      const own = citizenId === null ? [] : [eb('citizen_id', '=', citizenId)];
      const sameDocument = and([eb('country', '=', country), eb('type', '=', type), eb('number', '=', number)]);
      if (kind === 'elevation') return or([...own, sameDocument]);
      return (
        own[0] ??
        and([
          eb('citizen_id', 'is', null),
          or([eb(buildNormalizedMailboxSql('email'), '=', normalizeMailbox(email)), sameDocument]),
        ])
      );
    })
    .execute();
  if (live.length === 0) return;
  if (kind === 'elevation') throw new OperationError(409, 'tramite_en_curso');
  if (citizenId !== null && live.some((call) => call.citizen_id === citizenId))
    throw new OperationError(409, 'usuario_con_videollamada');
  if (live.some((call) => normalizeMailbox(call.email) === normalizeMailbox(email)))
    throw new OperationError(409, 'consulta_por_email', { values: { email } });
  throw new OperationError(409, 'consulta_por_documento', { values: { documento: number } });
}

interface CallBookingRequest<Kind extends CallKind = CallKind> {
  readonly kind: Kind;
  /** Date of the call (YYYY-MM-DD), in official time. */
  readonly date: string;
  /** Start of the call (HH:mm:ss), in official time. */
  readonly time: string;
  /** Account that booked the call. `null` without a session. */
  readonly citizenId: string | null;
  readonly document: IdentityDocument;
  readonly name: string;
  readonly email: string;
  readonly phone: string;
  readonly subject: string;
  readonly message: string;
  readonly extra?: readonly ExtraField[];
}

/** Books a support call. Takes the identity of a signed-in citizen from the account, not from the form (specification, section 8.4). */
export const bookSupportCall: ResponseBodyHandler<'bookSupportCall'> = async (
  { commands, store, config, callMails },
  { body, extra = [], caller, origin },
) => {
  const request = { ...(await readCallRequest(store, body, caller)), extra };
  if (caller === null) await assertDocumentTypeIssued(store, request.document);
  const call = await commands.run(origin, async (command) => {
    await expireUnprovenReservations(command, callMails, request);
    const booked = await bookVideoCall(command, config, request, 'Reservado');
    await callMails.sendBookingMail(command, 'call-reserved', booked);
    return booked;
  });
  return toCallResponse(call);
};

/** Expires unconfirmed anonymous reservations with the document or the verified mailbox of a signed-in citizen, whose own booking takes precedence. */
async function expireUnprovenReservations(
  command: DatabaseCommand,
  callMails: CallMails,
  { citizenId, document: { country, type, number }, provenEmail }: Awaited<ReturnType<typeof readCallRequest>>,
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
    const call = { ...toVideoCall(row), kind: 'support' } as const;
    const lapsed = await applyCallTransition(command, call, 'lapse', { reason: 'gave way' });
    if (lapsed !== null) await callMails.sendTransitionMail(command, lapsed, 'lapse');
  }
}

/** Reads the form. `provenEmail` is `null` if the e-mail address of the account is not verified, or nobody is signed in. */
async function readCallRequest(store: DatabaseStore, body: OperationBody<'bookSupportCall'>, caller: Caller | null) {
  const typed = {
    kind: 'support',
    date: body.fecha ?? '',
    time: body.hora ?? '',
    email: normalizeEmail(body.correo_electronico),
    phone: (body.numero_telefono ?? '').trim(),
    subject: body.asunto ?? '',
    message: (body.mensaje ?? '').trim(),
  } as const;
  if (caller === null)
    return {
      ...typed,
      provenEmail: null,
      citizenId: null,
      name: (body.nombre_completo ?? '').normalize('NFC').trim().replace(/\s+/g, ' '),
      document: normalizeDocument(body.pais_emisor, body.tipo_documento, body.numero_documento),
    };
  const { citizen } = await readCallerAccount(store.db, caller);
  return {
    ...typed,
    citizenId: citizen.id,
    name: formatFullName(citizen),
    document: { country: citizen.country, type: citizen.type, number: citizen.number },
    email: citizen.email ?? typed.email,
    provenEmail: citizen.email_verified_at === null ? null : citizen.email,
    phone: citizen.phone ?? typed.phone,
  };
}
