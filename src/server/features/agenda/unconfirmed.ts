import type { Agenda } from '../../platform/base/agenda.ts';
import { after } from '../../platform/base/clock.ts';
import { dateOf, instantAt } from '../../platform/base/zone.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import type { Slot } from './slots.ts';

/**
 * Share of a day's places that unconfirmed reservations of anonymous visitors may hold. The other half stays for whoever signs in or confirms:
 * documents are only typed, so one person could otherwise hold every place for two hours, again and again.
 */
const share = 0.5;

/** How many places of a day unconfirmed reservations of anonymous visitors may hold: at least one. */
export function unconfirmedPlaces(slots: readonly Slot[]): number {
  const places = slots.reduce((sum, slot) => sum + slot.places, 0);
  return Math.max(1, Math.floor(places * share));
}

/** How many places unconfirmed reservations of anonymous visitors hold, by date; both ends are included. */
export async function countUnconfirmed(
  db: Store['db'] | Tx,
  { agenda, from, to }: { agenda: Agenda; from: string; to: string },
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('video_calls')
    .select(({ fn }) => ['starts_at', fn.countAll<number>().as('count')])
    .where('kind', '=', agenda)
    .where('state', '=', 'Reservado')
    .where('citizen_id', 'is', null)
    .where('place', 'is not', null)
    .where('starts_at', '>=', instantAt(from, '00:00'))
    .where('starts_at', '<', after(instantAt(to, '00:00'), 24 * 60 * 60))
    .groupBy('starts_at')
    .execute();
  const counts = new Map<string, number>();
  for (const { starts_at: at, count } of rows) counts.set(dateOf(at), (counts.get(dateOf(at)) ?? 0) + Number(count));
  return counts;
}
