import { formatOfficialDate } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { bookingWindow } from './availability.ts';
import { readOpeningHours } from './opening-hours.ts';
import { listSlots } from './slots.ts';

export interface Wanted {
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
