import { dateOf } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Agenda } from '../../platform/base/agenda.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { bookingWindow } from './availability.ts';
import { readOpeningHours } from './opening-hours.ts';
import { slotsOf } from './slots.ts';

/** A time of an agenda. */
export interface Wanted {
  readonly agenda: Agenda;
  readonly startsAt: Date;
}

/** How many calls can begin at a time, taken or not; none where nobody attends then, or that nobody can book now. */
export async function placesAt(
  tx: Tx,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: Wanted,
  now: Date,
): Promise<number> {
  const date = dateOf(startsAt);
  const { from, to } = bookingWindow(now);
  if (date < from || date > to) return 0;
  const hours = await readOpeningHours(tx, config, { agenda, from: date, to: date });
  const slots = slotsOf(date, hours.on(date), config.agenda[agenda].minutes);
  return slots.find((slot) => slot.startsAt.getTime() === startsAt.getTime())?.places ?? 0;
}

/** The lowest place of a time, from 1 to `places`, that nobody holds; null: all are held. */
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
