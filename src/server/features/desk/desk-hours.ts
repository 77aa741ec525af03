import { findFreeSlotPlace, getBookingWindow, readAgendaSlots } from '../agenda/availability.ts';
import type { OperationBody } from '../../../contract/contract.ts';
import type { CallKind } from '../../platform/base/call-kind.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { toUruguayIsoDate, isIsoDate } from '../../../contract/format/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { toCallResponse, toVideoCall, type VideoCall } from '../video-calls/call-records.ts';
import { countSkippedReminders } from '../video-calls/book-call.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { undecidedCallStates, type CallState } from '../video-calls/call-states.ts';
import { createAgentActor, type DeskActor } from './desk-agent.ts';
import type { HandlerContext, ResponseBodyHandler } from '../handler-context.ts';
import { foldAccentsAndCase } from '../../../contract/fold-text.ts';
import { createCatalogueLookup } from '../../platform/base/texts.ts';
import {
  parseDayHours,
  parseWeekdayHours,
  type DayHours,
  type WeekdayHours,
} from '../../platform/config/weekly-hours.ts';
import { splitList } from '../../platform/base/normalize-input.ts';
import own from './texts.json' with { type: 'json' };
import type { JsonObject } from '../../../engine/core/json.ts';

/** Abbreviated weekdays from Monday, as agents type them. */
const days = createCatalogueLookup(own)('dias_cortos', 'es').split(' ');

/**
 * Parses weekly hours, one range per line, such as `lun-vie 09:00-17:00 x2` for two simultaneous calls. Throws a field error for a malformed line.
 */
export function parseDeskWeekHours(text: string): readonly WeekdayHours[] {
  const weekdays = days.map(foldAccentsAndCase);
  return parseLines(text, (line) => parseWeekdayHours(foldAccentsAndCase(line), weekdays)).flat();
}

/** Parses the hours of a date like `parseDeskWeekHours`, but without weekdays. An empty text means that the date is closed. */
export function parseDeskDateHours(text: string): readonly DayHours[] {
  return parseLines(text, parseDayHours);
}

function parseLines<Hours>(text: string, parse: (line: string) => Hours | null): readonly Hours[] {
  return splitList(text.normalize('NFC').toLowerCase(), /[\n,]/).map((linea) => {
    const hours = parse(linea);
    if (hours === null) throw new OperationError(400, 'horario_ilegible', { field: 'horario', values: { linea } });
    return hours;
  });
}

/** Formats weekly hours in the format that `parseDeskWeekHours` reads. Weekdays with equal hours share a line. */
export function formatDeskWeekHours(week: readonly WeekdayHours[]): string {
  const byHours = new Map<string, number[]>();
  for (const hours of [...week].sort((a, b) => a.weekday - b.weekday)) {
    const known = byHours.get(formatHours(hours)) ?? [];
    byHours.set(formatHours(hours), [...known, hours.weekday]);
  }
  return [...byHours]
    .flatMap(([hours, weekdays]) => formatWeekdays(weekdays).map((run) => `${run} ${hours}`))
    .join('\n');
}

function formatHours({ opens, closes, places }: DayHours): string {
  return `${opens}-${closes}${places > 1 ? ` x${places}` : ''}`;
}

function formatWeekdays(weekdays: readonly number[]): readonly string[] {
  const runs: number[][] = [];
  for (const weekday of weekdays) {
    const run = runs.at(-1);
    if (run && run.at(-1) === weekday - 1) run.push(weekday);
    else runs.push([weekday]);
  }
  const name = (weekday = 1): string => days[weekday - 1] ?? '';
  return runs.map((run) => (run.length === 1 ? name(run[0]) : `${name(run[0])}-${name(run.at(-1))}`));
}

type Dependencies = Pick<HandlerContext, 'commands' | 'config' | 'callMails' | 'store'>;

export const getDeskHours: ResponseBodyHandler<'getDeskHours'> = (dependencies, { query }) =>
  readDeskHours(dependencies, query['agenda']);

export async function readDeskHours(
  { store: { db }, config }: Pick<HandlerContext, 'store' | 'config'>,
  name: string | undefined,
) {
  const agenda = parseAgenda(name);
  const set = await db.selectFrom('agenda_hours').selectAll().where('agenda', '=', agenda).execute();
  const { hours, minutes } = config.agenda[agenda];
  const rows = await db
    .selectFrom('agenda_exceptions')
    .selectAll()
    .where('agenda', '=', agenda)
    .orderBy('date')
    .orderBy('opens')
    .execute();
  const fechas = [...new Set(rows.map(({ date }) => date))].map((date) => {
    const own = rows.filter((row) => row.date === date);
    const open = own.filter(({ places }) => places > 0);
    return { fecha: date, horario: open.map(formatHours).join('\n'), nota: own[0]?.note ?? '' };
  });
  return { agenda, minutos: minutes, horario: formatDeskWeekHours(set.length === 0 ? hours : set), fechas };
}

export const setDeskWeek: ResponseBodyHandler<'setDeskWeek'> = (dependencies, { body, caller, origin }) =>
  saveDeskWeekHours(dependencies, body, createAgentActor(caller, origin));

export async function saveDeskWeekHours(
  dependencies: Dependencies,
  body: OperationBody<'setDeskWeek'>,
  actor: DeskActor,
) {
  const agenda = parseAgenda(body.agenda);
  const week = parseDeskWeekHours(body.horario ?? '');
  if (week.length === 0) throw new OperationError(400, 'horario_vacio', { field: 'horario' });
  return saveHours(dependencies, { agenda, move: body.mover === true }, actor, async (tx) => {
    await tx.deleteFrom('agenda_hours').where('agenda', '=', agenda).execute();
    await tx
      .insertInto('agenda_hours')
      .values(week.map((hours) => ({ agenda, ...hours })))
      .execute();
    return { hours: formatDeskWeekHours(week) };
  });
}

export const setDeskDate: ResponseBodyHandler<'setDeskDate'> = (dependencies, { body, caller, origin }) =>
  saveDeskDateHours(dependencies, body, createAgentActor(caller, origin));

/** Sets the hours of a date, or closes the date if the body has no hours. */
export async function saveDeskDateHours(
  dependencies: Dependencies,
  body: OperationBody<'setDeskDate'>,
  actor: DeskActor,
) {
  const agenda = parseAgenda(body.agenda);
  const date = body.fecha ?? '';
  if (!isIsoDate(date)) throw new OperationError(400, 'fecha_invalida', { field: 'fecha' });
  const hours = parseDeskDateHours(body.horario ?? '');
  const note = (body.nota ?? '').trim();
  const rows = hours.length === 0 ? [{ opens: '00:00', closes: '00:00', places: 0 }] : hours;
  return saveHours(dependencies, { agenda, move: body.mover === true }, actor, async (tx) => {
    await deleteDateHours(tx, agenda, date);
    await tx
      .insertInto('agenda_exceptions')
      .values(rows.map((row) => ({ agenda, date, note, ...row })))
      .execute();
    return { date, hours: hours.map(formatHours).join(', ') };
  });
}

export const dropDeskDate: ResponseBodyHandler<'dropDeskDate'> = (dependencies, { body, caller, origin }) =>
  resetDeskDateHours(dependencies, body, createAgentActor(caller, origin));

export async function resetDeskDateHours(
  dependencies: Dependencies,
  body: OperationBody<'dropDeskDate'>,
  actor: DeskActor,
) {
  const agenda = parseAgenda(body.agenda);
  return saveHours(dependencies, { agenda, move: body.mover === true }, actor, async (tx) => {
    await deleteDateHours(tx, agenda, body.fecha);
    return { date: body.fecha, hours: null };
  });
}

/**
 * Saves opening hours. Returns the bookings that do not fit the new hours. With `move`, moves these bookings and notifies their citizens. Without
 * `move`, saves nothing if at least one booking does not fit.
 */
async function saveHours(
  { commands, config, callMails }: Dependencies,
  { agenda, move }: { readonly agenda: CallKind; readonly move: boolean },
  { origin, findActor }: DeskActor,
  change: (tx: Tx) => Promise<JsonObject>,
) {
  let isSaved = false;
  let calls: VideoCall[] = [];
  await commands.commitIf(origin, async (command) => {
    const agent = await findActor(command.tx);
    await command.audit('hours-set', null, { agent: agent.signature, agenda, ...(await change(command.tx)) });
    const { out, above } = await findBookingsBeyondCapacity(command, config, agenda);
    isSaved = out.length === 0 || move;
    calls = out;
    if (!isSaved) return false;
    calls = [];
    for (const call of out) calls.push(await moveBooking(command, config, callMails, call));
    for (const { call, places } of above) {
      // Moves the booking to the lowest free place number. If it kept a number above the capacity, the lower number would stay free for a booking
      // beyond the capacity.
      const place = await findFreeSlotPlace(command.tx, { agenda, startsAt: call.startsAt }, places);
      if (place !== null)
        await command.tx.updateTable('video_calls').set({ place }).where('id', '=', call.id).execute();
    }
    return true;
  });
  return { guardado: isSaved, ...formatCalls(calls) };
}

/** States in which a booking can be moved to another time. In later states the call has already begun. */
const movableStates: ReadonlySet<string> = new Set<CallState>(['Reservado', ...undecidedCallStates]);

/** Returns the bookings that exceed the capacity (`out`), and those that fit but have a place number above the capacity (`above`). */
async function findBookingsBeyondCapacity({ tx, now }: DatabaseCommand, config: Config, agenda: CallKind) {
  const rows = await tx
    .selectFrom('video_calls')
    .selectAll()
    .where('kind', '=', agenda)
    .where('place', 'is not', null)
    .where('starts_at', '>', now)
    .orderBy('starts_at')
    .orderBy('place')
    .execute();
  const dates = { agenda, from: toUruguayIsoDate(now), to: getBookingWindow(now).to };
  const slots = await readAgendaSlots(tx, config, dates);
  const placesAt = new Map([...slots.values()].flat().map((slot) => [slot.startsAt.getTime(), slot.places]));
  const callsByStart = new Map<number, number>();
  const out: VideoCall[] = [];
  const above: { readonly call: VideoCall; readonly places: number }[] = [];
  // Calls that cannot be moved are counted first, so that only movable calls exceed the capacity if possible.
  for (const row of rows.toSorted(
    (one, other) => Number(movableStates.has(one.state)) - Number(movableStates.has(other.state)),
  )) {
    const start = row.starts_at.getTime();
    const places = placesAt.get(start) ?? 0;
    const count = (callsByStart.get(start) ?? 0) + 1;
    callsByStart.set(start, count);
    if (count > places && movableStates.has(row.state)) out.push(toVideoCall(row));
    else if ((row.place ?? 0) > places) above.push({ call: toVideoCall(row), places });
  }
  return { out, above };
}

async function moveBooking(command: DatabaseCommand, config: Config, mails: CallMails, call: VideoCall) {
  const { tx, now, audit } = command;
  const { from, to } = getBookingWindow(now);
  const slots = [...(await readAgendaSlots(tx, config, { agenda: call.kind, from, to })).values()].flat();
  for (const { startsAt, places, free } of slots) {
    const place = free === 0 ? null : await findFreeSlotPlace(tx, { agenda: call.kind, startsAt }, places);
    if (place === null) continue;
    const row = await tx
      .updateTable('video_calls')
      .set(({ eb }) => ({
        starts_at: startsAt,
        ends_at: addSeconds(startsAt, config.agenda[call.kind].minutes * 60),
        place,
        reminders: countSkippedReminders(startsAt, now),
        sequence: eb('sequence', '+', 1),
      }))
      .where('id', '=', call.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const moved = toVideoCall(row);
    await audit('call-moved', call.citizenId, { call: call.id, from: call.startsAt.toISOString() });
    await mails.sendBookingMail(command, moved.state === 'Reservado' ? 'call-reserved' : 'call-booked', moved);
    return moved;
  }
  throw new OperationError(409, 'sin_lugar_para_mover');
}

async function deleteDateHours(tx: Tx, agenda: CallKind, date: string): Promise<void> {
  await tx.deleteFrom('agenda_exceptions').where('agenda', '=', agenda).where('date', '=', date).execute();
}

function formatCalls(calls: readonly VideoCall[]) {
  const reservas = calls.map((call) => ({ ...toCallResponse(call), nombre: call.name }));
  const lista = reservas.map(
    ({ nombre, fecha, hora_inicio }) =>
      `${nombre} (${fecha.split('-').toReversed().join('/')} ${hora_inicio.slice(0, 5)})`,
  );
  return { reservas, lista: lista.join(', ') };
}

function parseAgenda(name: string | undefined): CallKind {
  if (name === 'support' || name === 'elevation') return name;
  throw new OperationError(400, 'agenda_desconocida', { field: 'agenda' });
}
