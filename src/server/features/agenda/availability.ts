import type { CallKind } from '../../platform/base/call-kind.ts';
import { toIpRateLimitKey, findIpv6SiteNetwork } from '../../platform/base/ip-addresses.ts';
import { addSeconds } from '../../platform/base/clock.ts';
import { secondsPerDay } from '../../platform/base/fixed-periods.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { toUruguayIsoDate, parseUruguayInstant, addToDate, toWeekday } from '../../../contract/format/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { DayHours } from '../../platform/config/weekly-hours.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { hashSecret } from '../../platform/keys/random-secrets.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import { portalConstants } from '../../../contract/constants.ts';
import type { Caller } from '../../platform/base/operation-request.ts';

export interface BookableSlot extends AgendaSlot {
  readonly free: number;
}

/** Returns the first and last bookable date: tomorrow, and three months ahead (specification, section 9). */
export function getBookingWindow(now: Date): { readonly from: string; readonly to: string } {
  const today = toUruguayIsoDate(now);
  return { from: addToDate(today, { days: 1 }), to: addToDate(today, { months: portalConstants.bookingWindowMonths }) };
}

/** Dates of an agenda (YYYY-MM-DD), both inclusive. */
interface AgendaDates {
  readonly agenda: CallKind;
  readonly from: string;
  readonly to: string;
}

export async function readAgendaSlots(
  db: DatabaseStore['db'],
  config: Pick<Config, 'agenda'>,
  dates: AgendaDates,
): Promise<ReadonlyMap<string, readonly BookableSlot[]>> {
  const slotsOn = await readOpenSlots(db, config, dates);
  const rows = await selectBookedCalls(db, dates)
    .select(({ fn }) => ['starts_at', fn.countAll<number>().as('count')])
    .execute();
  const takenPlaces = new Map(rows.map(({ starts_at: at, count }) => [at.getTime(), Number(count)]));
  const slots = new Map<string, readonly BookableSlot[]>();
  for (let date = dates.from; date <= dates.to; date = addToDate(date, { days: 1 })) {
    const countFree = ({ startsAt, places }: AgendaSlot) =>
      Math.max(0, places - (takenPlaces.get(startsAt.getTime()) ?? 0));
    slots.set(
      date,
      slotsOn(date).map((slot) => ({ ...slot, free: countFree(slot) })),
    );
  }
  return slots;
}

/**
 * Returns the slots with the free places that the caller sees. Once anonymous visitors have booked their share of a day's support calls, they see no
 * free place on that day.
 */
export async function readBookableSlots(
  db: DatabaseStore['db'],
  config: Pick<Config, 'agenda'>,
  dates: AgendaDates,
  caller: Caller | null,
): Promise<ReadonlyMap<string, readonly BookableSlot[]>> {
  const slots = await readAgendaSlots(db, config, dates);
  if (caller !== null || dates.agenda !== 'support') return slots;
  const bookings = await countAnonymousBookings(db, dates);
  return new Map(
    [...slots].map(([date, times]) => {
      const { unconfirmed, all } = bookings.get(date) ?? noAnonymousBookings;
      const limit = computeAnonymousLimit(times);
      const isFull = unconfirmed >= limit.unconfirmed || all >= limit.all;
      return [date, isFull ? times.map((slot) => ({ ...slot, free: 0 })) : times];
    }),
  );
}

function selectBookedCalls(db: DatabaseStore['db'], { agenda, from, to }: AgendaDates) {
  return db
    .selectFrom('video_calls')
    .where('kind', '=', agenda)
    .where('place', 'is not', null)
    .where('starts_at', '>=', parseUruguayInstant(from, '00:00'))
    .where('starts_at', '<', addSeconds(parseUruguayInstant(to, '00:00'), secondsPerDay))
    .groupBy('starts_at');
}

interface SlotQuery {
  readonly agenda: CallKind;
  readonly startsAt: Date;
}

/** Returns the number of places at a start time, free or not. Returns 0 if the agenda is closed at that time, or if its date cannot be booked now. */
export async function countSlotPlaces(
  tx: Tx,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: SlotQuery,
  now: Date,
): Promise<number> {
  const date = toUruguayIsoDate(startsAt);
  const { from, to } = getBookingWindow(now);
  if (date < from || date > to) return 0;
  const slotsOn = await readOpenSlots(tx, config, { agenda, from: date, to: date });
  return slotsOn(date).find((slot) => slot.startsAt.getTime() === startsAt.getTime())?.places ?? 0;
}

/** Returns the lowest free place number at a start time, from 1 to `places`. Returns `null` if all places are taken. */
export async function findFreeSlotPlace(tx: Tx, { agenda, startsAt }: SlotQuery, places: number) {
  const rows = await tx
    .selectFrom('video_calls')
    .select('place')
    .where('kind', '=', agenda)
    .where('starts_at', '=', startsAt)
    .where('place', 'is not', null)
    .execute();
  const takenPlaces = new Set(rows.map(({ place }) => place));
  for (let place = 1; place <= places; place += 1) if (!takenPlaces.has(place)) return place;
  return null;
}

interface AgendaSlot {
  readonly startsAt: Date;
  readonly places: number;
}

/** Computes the start times of a date and their capacity. The capacities of overlapping opening hours add up. */
export function computeSlotsOfDate(date: string, hours: readonly DayHours[], minutes: number): readonly AgendaSlot[] {
  const places = new Map<number, number>();
  for (const { opens, closes, places: more } of hours) {
    const end = parseUruguayInstant(date, closes);
    for (
      let at = parseUruguayInstant(date, opens);
      addSeconds(at, minutes * 60) <= end;
      at = addSeconds(at, minutes * 60)
    ) {
      if (more > 0) places.set(at.getTime(), (places.get(at.getTime()) ?? 0) + more);
    }
  }
  return [...places].sort(([a], [b]) => a - b).map(([at, count]) => ({ startsAt: new Date(at), places: count }));
}

/**
 * Reads the slots within opening hours. An exception for a date replaces the hours of its weekday. The configured hours apply until an agent sets
 * others.
 */
async function readOpenSlots(
  db: DatabaseStore['db'],
  config: Pick<Config, 'agenda'>,
  { agenda, from, to }: AgendaDates,
) {
  const { hours, minutes } = config.agenda[agenda];
  const set = await db.selectFrom('agenda_hours').selectAll().where('agenda', '=', agenda).execute();
  const exceptions = await db
    .selectFrom('agenda_exceptions')
    .select(['date', 'opens', 'closes', 'places'])
    .where('agenda', '=', agenda)
    .where('date', '>=', from)
    .where('date', '<=', to)
    .execute();
  return (date: string) => {
    const own = exceptions.filter((exception) => exception.date === date);
    const week = (set.length === 0 ? hours : set).filter(({ weekday }) => weekday === toWeekday(date));
    return computeSlotsOfDate(date, own.length > 0 ? own : week, minutes);
  };
}

interface AnonymousBookings {
  readonly unconfirmed: number;
  readonly all: number;
}

/**
 * Limits anonymous bookings to three quarters of the capacity, and unconfirmed anonymous bookings to half of the capacity, because a person can have
 * many mailboxes.
 */
function computeAnonymousLimit(slots: readonly AgendaSlot[]): AnonymousBookings {
  const places = slots.reduce((sum, slot) => sum + slot.places, 0);
  return { unconfirmed: Math.max(1, Math.floor(places / 2)), all: places - Math.floor(places / 4) };
}

async function countAnonymousBookings(db: DatabaseStore['db'], dates: AgendaDates) {
  const rows = await selectBookedCalls(db, dates)
    .select(({ fn }) => [
      'starts_at',
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('state', '=', 'Reservado').as('unconfirmed'),
    ])
    .where('citizen_id', 'is', null)
    .execute();
  const counts = new Map<string, AnonymousBookings>();
  for (const { starts_at: at, ...row } of rows) {
    const date = toUruguayIsoDate(at);
    const { unconfirmed, all } = counts.get(date) ?? noAnonymousBookings;
    counts.set(date, { unconfirmed: unconfirmed + Number(row.unconfirmed), all: all + Number(row.all) });
  }
  return counts;
}

const noAnonymousBookings: AnonymousBookings = { unconfirmed: 0, all: 0 };

/** Maximum number of unconfirmed reservations per network. It is above one, because citizens share the IP addresses of mobile networks. */
export const maxReservationsPerNetwork = 5;

/** Maximum number of upcoming calls of anonymous visitors per network, confirmed or not. */
export const maxUpcomingCallsPerNetwork = 20;

/**
 * Hashes the network of a client. The network of an IPv6 address is its /48 prefix, because a customer with such a prefix has 65,536 smaller
 * networks.
 */
export function hashClientNetwork(address: string): string {
  return hashSecret(`call network ${findIpv6SiteNetwork(address) ?? toIpRateLimitKey(address)}`);
}

/**
 * Throws if an inserted reservation exceeds the limits of its network or its day. Counts after the insert, so that the second of two concurrent
 * reservations fails to serialize, is retried, and then counts the first.
 */
export async function assertReservationAllowed(
  { tx, now, origin }: DatabaseCommand,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: SlotQuery,
): Promise<void> {
  const ofNetwork = await tx
    .selectFrom('video_calls')
    .select(['confirm_by', 'starts_at'])
    .where('network', '=', hashClientNetwork(origin.address))
    .where('starts_at', '>', now)
    .execute();
  const unconfirmed = ofNetwork.flatMap(({ confirm_by: at }) => at ?? []);
  if (unconfirmed.length > maxReservationsPerNetwork) throw createBookingLimitError(unconfirmed, now);
  if (ofNetwork.length > maxUpcomingCallsPerNetwork)
    throw createBookingLimitError(
      ofNetwork.map(({ starts_at: at }) => at),
      now,
    );
  const date = toUruguayIsoDate(startsAt);
  const day = { agenda, from: date, to: date };
  const { unconfirmed: held, all } = (await countAnonymousBookings(tx, day)).get(date) ?? noAnonymousBookings;
  const limit = computeAnonymousLimit((await readOpenSlots(tx, config, day))(date));
  if (held > limit.unconfirmed || all > limit.all) throw new OperationError(409, 'sin_cupos');
}

/** Creates a 429 whose `Retry-After` is the time until the earliest of `ends`, when the first call no longer counts towards the limit. */
export function createBookingLimitError(ends: readonly Date[], now: Date, code = 'demasiados_intentos') {
  const freeAt = Math.min(...ends.map((end) => end.getTime()));
  const retryAfter = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000));
  return new OperationError(429, code, { retryAfter });
}
