import type { Agenda } from '../../platform/base/agenda.ts';
import { countedAddress, siteOfAddress } from '../../platform/base/addresses.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { dateOf, instantAt } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { readOpeningHours } from './opening-hours.ts';
import { slotsOf, type Slot } from './slots.ts';

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

/** Unconfirmed reservations that anonymous visitors of one network may hold at a time: many citizens share the address of a mobile network. */
export const mostOfNetwork = 5;

/** Network of an anonymous visitor, as the table of calls holds it. Of IPv6 it is the site: anybody can rent one, and it has 65,536 networks. */
export function networkDigest(address: string): string {
  return hashSecret(`call network ${siteOfAddress(address) ?? countedAddress(address)}`);
}

/**
 * Refuses the reservation that an anonymous visitor has just made, if unconfirmed ones now hold more than their share of the day, or more than one
 * network may hold. It counts after the insert: of two that are made at once, the serializable transaction of one begins again and sees the other.
 */
export async function refuseUnconfirmed(
  { tx, now, origin }: Command,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: { readonly agenda: Agenda; readonly startsAt: Date },
): Promise<void> {
  const ofNetwork = await tx
    .selectFrom('video_calls')
    .select('confirm_by')
    .where('network', '=', networkDigest(origin.address))
    .orderBy('confirm_by')
    .execute();
  if (ofNetwork.length > mostOfNetwork) {
    const freeAt = ofNetwork[0]?.confirm_by ?? now;
    const retryAfter = Math.max(1, Math.ceil((freeAt.getTime() - now.getTime()) / 1000));
    throw new OperationError(429, 'demasiados_intentos', { retryAfter });
  }
  const date = dateOf(startsAt);
  const day = { agenda, from: date, to: date };
  const held = (await countUnconfirmed(tx, day)).get(date) ?? 0;
  const hours = await readOpeningHours(tx, config, day);
  const slots = slotsOf(date, hours.on(date), config.agenda[agenda].minutes);
  if (held > unconfirmedPlaces(slots)) throw new OperationError(409, 'sin_cupos');
}
