import { freePlace, bookingWindow, readSlots } from '../agenda/availability.ts';
import type { Body } from '../../../contract/contract.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { formatOfficialDate, isDate } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Command, Commands } from '../../trust/notices/commands.ts';
import { callAnswer, readCall, type VideoCall } from '../video-calls/calls.ts';
import { needlessReminders } from '../video-calls/book-call.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { awaited, type CallState } from '../video-calls/states.ts';
import { byAgent, type DeskActor } from './agent.ts';
import { readDate, readWeek, writeHours, writeWeek } from './hours-text.ts';
import type { Handler, Parts } from '../parts.ts';

type Dependencies = Pick<Parts, 'commands' | 'config' | 'callMails' | 'store'>;

export const getDeskHours: Handler<'getDeskHours'> = async (dependencies, { query }) => ({
  body: await readHours(dependencies, query['agenda']),
});

/** Returns the hours of an agenda, in the notation of agents. */
export async function readHours({ store: { db }, config }: Pick<Parts, 'store' | 'config'>, name: string | undefined) {
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
    return { fecha: date, horario: open.map(writeHours).join('\n'), nota: own[0]?.note ?? '' };
  });
  return { agenda, minutos: minutes, horario: writeWeek(set.length === 0 ? hours : set), fechas };
}

export const setDeskWeek: Handler<'setDeskWeek'> = (dependencies, { body, caller, origin }) =>
  keepWeek(dependencies, body, byAgent(caller, origin));

export async function keepWeek(dependencies: Dependencies, body: Body<'setDeskWeek'>, { origin, by }: DeskActor) {
  const agenda = parseAgenda(body.agenda);
  const week = readWeek(body.horario ?? '');
  if (week.length === 0) throw new OperationError(400, 'horario_vacio', { field: 'horario' });
  return keepHours(dependencies, { agenda, move: body.mover === true }, origin, async ({ tx, audit }) => {
    const agent = await by(tx);
    await tx.deleteFrom('agenda_hours').where('agenda', '=', agenda).execute();
    await tx
      .insertInto('agenda_hours')
      .values(week.map((hours) => ({ agenda, ...hours })))
      .execute();
    await audit('hours-set', null, { agent: agent.signature, agenda, hours: writeWeek(week) });
  });
}

export const setDeskDate: Handler<'setDeskDate'> = (dependencies, { body, caller, origin }) =>
  keepDate(dependencies, body, byAgent(caller, origin));

/** Sets the hours of a date, for an agent or a command. Without hours, the date is closed. */
export async function keepDate(dependencies: Dependencies, body: Body<'setDeskDate'>, { origin, by }: DeskActor) {
  const agenda = parseAgenda(body.agenda);
  const date = body.fecha ?? '';
  if (!isDate(date)) throw new OperationError(400, 'fecha_invalida', { field: 'fecha' });
  const hours = readDate(body.horario ?? '');
  const note = (body.nota ?? '').trim();
  const rows = hours.length === 0 ? [{ opens: '00:00', closes: '00:00', places: 0 }] : hours;
  return keepHours(dependencies, { agenda, move: body.mover === true }, origin, async ({ tx, audit }) => {
    const agent = await by(tx);
    await dropDate(tx, agenda, date);
    await tx
      .insertInto('agenda_exceptions')
      .values(rows.map((row) => ({ agenda, date, note, ...row })))
      .execute();
    await audit('hours-set', null, { agent: agent.signature, agenda, date, hours: hours.map(writeHours).join(', ') });
  });
}

export const dropDeskDate: Handler<'dropDeskDate'> = (dependencies, { body, caller, origin }) =>
  dropKeptDate(dependencies, body, byAgent(caller, origin));

/** Restores the hours of the weekday for a date, for an agent or a command. */
export async function dropKeptDate(dependencies: Dependencies, body: Body<'dropDeskDate'>, { origin, by }: DeskActor) {
  const agenda = parseAgenda(body.agenda);
  return keepHours(dependencies, { agenda, move: body.mover === true }, origin, async ({ tx, audit }) => {
    const agent = await by(tx);
    await dropDate(tx, agenda, body.fecha);
    await audit('hours-set', null, { agent: agent.signature, agenda, date: body.fecha, hours: null });
  });
}

/** Rolls back a change of hours that would leave bookings without a place. */
class LeftOut extends Error {
  readonly calls: readonly VideoCall[];

  constructor(calls: readonly VideoCall[]) {
    super('bookings are left out');
    this.calls = calls;
  }
}

/** Applies a change of hours. With `move`, bookings without a place are moved and notified. Otherwise it is rolled back and they are reported. */
async function keepHours(
  { commands, config, callMails }: Dependencies,
  { agenda, move }: { readonly agenda: Agenda; readonly move: boolean },
  origin: Parameters<Commands['run']>[0],
  change: (command: Command) => Promise<void>,
) {
  try {
    const moved = await commands.run(origin, async (command) => {
      await change(command);
      const { out, above } = await shareOut(command, config, agenda);
      if (out.length > 0 && !move) throw new LeftOut(out);
      const done: VideoCall[] = [];
      for (const call of out) done.push(await moveBooking(command, config, callMails, call));
      for (const kept of above) await closeUp(command, kept);
      return done;
    });
    return { body: { guardado: true, ...formatCalls(moved) } };
  } catch (error) {
    if (!(error instanceof LeftOut)) throw error;
    return { body: { guardado: false, ...formatCalls(error.calls) } };
  }
}

/** A booking that keeps its start time, and the number of places there is now at that time. */
interface Kept {
  readonly call: VideoCall;
  readonly places: number;
}

/** States in which a booking can be moved. In later ones the call has taken place. */
const movable: ReadonlySet<string> = new Set<CallState>(['Reservado', ...awaited]);

/** Checks the upcoming bookings against the new hours. Returns those without a place, and those whose place number exceeds the number of places. */
async function shareOut(
  { tx, now }: Command,
  config: Config,
  agenda: Agenda,
): Promise<{ readonly out: readonly VideoCall[]; readonly above: readonly Kept[] }> {
  const rows = await tx
    .selectFrom('video_calls')
    .selectAll()
    .where('kind', '=', agenda)
    .where('place', 'is not', null)
    .where('starts_at', '>', now)
    .orderBy('starts_at')
    .orderBy('place')
    .execute();
  const slots = await readSlots(tx, config, { agenda, from: formatOfficialDate(now), to: bookingWindow(now).to });
  const placesAt = new Map([...slots.values()].flat().map((slot) => [slot.startsAt.getTime(), slot.places]));
  const seen = new Map<number, number>();
  const out: VideoCall[] = [];
  const above: Kept[] = [];
  // Calls that cannot be moved get a place first.
  for (const row of rows.toSorted((one, other) => Number(movable.has(one.state)) - Number(movable.has(other.state)))) {
    const start = row.starts_at.getTime();
    const places = placesAt.get(start) ?? 0;
    const count = (seen.get(start) ?? 0) + 1;
    seen.set(start, count);
    if (count > places && movable.has(row.state)) out.push(readCall(row));
    else if ((row.place ?? 0) > places) above.push({ call: readCall(row), places });
  }
  return { out, above };
}

/** Gives a booking the lowest free place number at its time. Otherwise a lower number would stay bookable, although nobody could attend the call. */
async function closeUp({ tx }: Command, { call: { id, kind, startsAt }, places }: Kept): Promise<void> {
  const place = await freePlace(tx, { agenda: kind, startsAt }, places);
  if (place !== null) await tx.updateTable('video_calls').set({ place }).where('id', '=', id).execute();
}

async function moveBooking(command: Command, config: Config, mails: CallMails, call: VideoCall): Promise<VideoCall> {
  const { tx, now, audit } = command;
  const { from, to } = bookingWindow(now);
  const slots = [...(await readSlots(tx, config, { agenda: call.kind, from, to })).values()].flat();
  for (const { startsAt, places, free } of slots) {
    const place = free === 0 ? null : await freePlace(tx, { agenda: call.kind, startsAt }, places);
    if (place === null) continue;
    const row = await tx
      .updateTable('video_calls')
      .set(({ eb }) => ({
        starts_at: startsAt,
        ends_at: after(startsAt, config.agenda[call.kind].minutes * 60),
        place,
        reminders: needlessReminders(startsAt, now),
        sequence: eb('sequence', '+', 1),
      }))
      .where('id', '=', call.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const moved = readCall(row);
    await audit('call-moved', call.citizenId, { call: call.id, from: call.startsAt.toISOString() });
    await mails.send(command, moved.state === 'Reservado' ? 'call-reserved' : 'call-booked', moved);
    return moved;
  }
  throw new OperationError(409, 'sin_lugar_para_mover');
}

async function dropDate(tx: Tx, agenda: Agenda, date: string): Promise<void> {
  await tx.deleteFrom('agenda_exceptions').where('agenda', '=', agenda).where('date', '=', date).execute();
}

function formatCalls(calls: readonly VideoCall[]) {
  const reservas = calls.map((call) => ({ ...callAnswer(call), nombre: call.name }));
  const lista = reservas.map(
    ({ nombre, fecha, hora_inicio }) =>
      `${nombre} (${fecha.split('-').toReversed().join('/')} ${hora_inicio.slice(0, 5)})`,
  );
  return { reservas, lista: lista.join(', ') };
}

function parseAgenda(name: string | undefined): Agenda {
  if (name === 'support' || name === 'elevation') return name;
  throw new OperationError(400, 'agenda_desconocida', { field: 'agenda' });
}
