import { constants } from '../../../contract/constants.ts';
import { after } from '../../platform/base/clock.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { formatOfficialDate, instantAt, laterDate } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { readOpeningHours, listSlots, type Slot } from './slots.ts';
import { countAnonymous, isFullForAnonymous, none } from './unconfirmed.ts';
import type { Parts } from '../parts.ts';

export type AgendaDependencies = Pick<Parts, 'store' | 'config' | 'clock'>;

export interface OpenSlot extends Slot {
  readonly free: number;
}

/** Dates that can be booked: from tomorrow to three months ahead (section 9 of the specification), both included. */
export function bookingWindow(now: Date): { readonly from: string; readonly to: string } {
  const today = formatOfficialDate(now);
  return { from: laterDate(today, { days: 1 }), to: laterDate(today, { months: constants.bookingWindowMonths }) };
}

/** Returns the slots of each date from `from` to `to`, both included, in order. A closed date has none. */
export async function readSlots(
  db: Store['db'] | Tx,
  config: Pick<Config, 'agenda'>,
  { agenda, from, to }: { agenda: Agenda; from: string; to: string },
): Promise<ReadonlyMap<string, readonly OpenSlot[]>> {
  const hours = await readOpeningHours(db, config, { agenda, from, to });
  const taken = await takenPlaces(db, { agenda, from, to });
  const slots = new Map<string, readonly OpenSlot[]>();
  for (let date = from; date <= to; date = laterDate(date, { days: 1 })) {
    const open = listSlots(date, hours.on(date), config.agenda[agenda].minutes);
    slots.set(
      date,
      open.map((slot) => ({ ...slot, free: Math.max(0, slot.places - (taken.get(slot.startsAt.getTime()) ?? 0)) })),
    );
  }
  return slots;
}

/** Like `readSlots`, as the caller may book them. Anonymous visitors get no free slot for a support call once they hold their share of a day. */
export async function readOpenSlots(
  db: Store['db'],
  config: Pick<Config, 'agenda'>,
  wanted: { agenda: Agenda; from: string; to: string },
  caller: Caller | null,
): Promise<ReadonlyMap<string, readonly OpenSlot[]>> {
  const slots = await readSlots(db, config, wanted);
  if (caller !== null || wanted.agenda !== 'support') return slots;
  const held = await countAnonymous(db, wanted);
  return new Map(
    [...slots].map(([date, times]) => {
      const isFull = isFullForAnonymous(held.get(date) ?? none, times);
      return [date, isFull ? times.map((slot) => ({ ...slot, free: 0 })) : times];
    }),
  );
}

/** Counts the taken places by start time (milliseconds since the epoch). */
async function takenPlaces(
  db: Store['db'] | Tx,
  { agenda, from, to }: { agenda: Agenda; from: string; to: string },
): Promise<ReadonlyMap<number, number>> {
  const rows = await db
    .selectFrom('video_calls')
    .select(({ fn }) => ['starts_at', fn.countAll<number>().as('count')])
    .where('kind', '=', agenda)
    .where('place', 'is not', null)
    .where('starts_at', '>=', instantAt(from, '00:00'))
    .where('starts_at', '<', after(instantAt(to, '00:00'), 24 * 60 * 60))
    .groupBy('starts_at')
    .execute();
  return new Map(rows.map(({ starts_at: at, count }) => [at.getTime(), Number(count)]));
}

interface Wanted {
  readonly agenda: Agenda;
  readonly startsAt: Date;
}

/** Number of calls that can start at that time, including booked ones. Returns 0 if the agenda is closed then, or the date cannot be booked now. */
export async function placesAt(
  tx: Tx,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: Wanted,
  now: Date,
): Promise<number> {
  const date = formatOfficialDate(startsAt);
  const { from, to } = bookingWindow(now);
  if (date < from || date > to) return 0;
  const hours = await readOpeningHours(tx, config, { agenda, from: date, to: date });
  const slots = listSlots(date, hours.on(date), config.agenda[agenda].minutes);
  return slots.find((slot) => slot.startsAt.getTime() === startsAt.getTime())?.places ?? 0;
}

/** Returns the lowest free place of a start time, from 1 to `places`. Returns `null` if all are taken. */
export async function freePlace(tx: Tx, { agenda, startsAt }: Wanted, places: number): Promise<number | null> {
  const rows = await tx
    .selectFrom('video_calls')
    .select('place')
    .where('kind', '=', agenda)
    .where('starts_at', '=', startsAt)
    .where('place', 'is not', null)
    .execute();
  const held = new Set(rows.map(({ place }) => place));
  for (let place = 1; place <= places; place += 1) if (!held.has(place)) return place;
  return null;
}
