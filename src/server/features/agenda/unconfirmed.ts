import type { Agenda } from '../../platform/base/agenda.ts';
import { countedAddress, siteOfAddress } from '../../platform/base/addresses.ts';
import { after } from '../../platform/base/clock.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { formatOfficialDate, instantAt } from '../../../contract/written/dates.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import type { Command } from '../../trust/notices/commands.ts';
import { readOpeningHours, listSlots, type Slot } from './slots.ts';

/** Number of places that anonymous visitors hold: with unconfirmed reservations, and in all. */
interface Held {
  readonly unconfirmed: number;
  readonly all: number;
}

/** Limits for a day: half of the places unconfirmed, three quarters in all. Documents are not verified, and a person can have many mailboxes. */
function mostAnonymous(slots: readonly Slot[]): Held {
  const places = slots.reduce((sum, slot) => sum + slot.places, 0);
  return { unconfirmed: Math.max(1, Math.floor(places / 2)), all: places - Math.floor(places / 4) };
}

export function isFullForAnonymous({ unconfirmed, all }: Held, slots: readonly Slot[]): boolean {
  const most = mostAnonymous(slots);
  return unconfirmed >= most.unconfirmed || all >= most.all;
}

export async function countAnonymous(
  db: Store['db'] | Tx,
  { agenda, from, to }: { agenda: Agenda; from: string; to: string },
): Promise<ReadonlyMap<string, Held>> {
  const rows = await db
    .selectFrom('video_calls')
    .select(({ fn }) => [
      'starts_at',
      fn.countAll<number>().as('all'),
      fn.countAll<number>().filterWhere('state', '=', 'Reservado').as('unconfirmed'),
    ])
    .where('kind', '=', agenda)
    .where('citizen_id', 'is', null)
    .where('place', 'is not', null)
    .where('starts_at', '>=', instantAt(from, '00:00'))
    .where('starts_at', '<', after(instantAt(to, '00:00'), 24 * 60 * 60))
    .groupBy('starts_at')
    .execute();
  const counts = new Map<string, Held>();
  for (const { starts_at: at, ...row } of rows) {
    const held = counts.get(formatOfficialDate(at)) ?? none;
    counts.set(formatOfficialDate(at), {
      unconfirmed: held.unconfirmed + Number(row.unconfirmed),
      all: held.all + Number(row.all),
    });
  }
  return counts;
}

export const none: Held = { unconfirmed: 0, all: 0 };

/** Maximum of unconfirmed reservations per network. Many citizens share the address of a mobile network. */
export const mostOfNetwork = 5;

/** Maximum of upcoming calls of anonymous visitors per network, confirmed or not. */
export const mostToCome = 20;

/** Hash of a visitor's network. An IPv6 address counts by its site, because anybody can rent a site, which has 65,536 networks. */
export function networkDigest(address: string): string {
  return hashSecret(`call network ${siteOfAddress(address) ?? countedAddress(address)}`);
}

/** Refuses a reservation beyond the limits. Counts after the insert, so that of two concurrent reservations one is retried and counts the other. */
export async function refuseUnconfirmed(
  { tx, now, origin }: Command,
  config: Pick<Config, 'agenda'>,
  { agenda, startsAt }: { readonly agenda: Agenda; readonly startsAt: Date },
): Promise<void> {
  const ofNetwork = await tx
    .selectFrom('video_calls')
    .select(['confirm_by', 'starts_at'])
    .where('network', '=', networkDigest(origin.address))
    .where('starts_at', '>', now)
    .execute();
  const unconfirmed = ofNetwork.flatMap(({ confirm_by: at }) => at ?? []);
  if (unconfirmed.length > mostOfNetwork) throw tooMany(unconfirmed, now);
  if (ofNetwork.length > mostToCome)
    throw tooMany(
      ofNetwork.map(({ starts_at: at }) => at),
      now,
    );
  const date = formatOfficialDate(startsAt);
  const day = { agenda, from: date, to: date };
  const { unconfirmed: held, all } = (await countAnonymous(tx, day)).get(date) ?? none;
  const hours = await readOpeningHours(tx, config, day);
  const most = mostAnonymous(listSlots(date, hours.on(date), config.agenda[agenda].minutes));
  if (held > most.unconfirmed || all > most.all) throw new OperationError(409, 'sin_cupos');
}

/** Error with the time until the first of these calls no longer counts. */
export function tooMany(ends: readonly Date[], now: Date, code = 'demasiados_intentos'): OperationError {
  const freeAt = Math.min(...ends.map((end) => end.getTime()));
  const retryAfter = Math.max(1, Math.ceil((freeAt - now.getTime()) / 1000));
  return new OperationError(429, code, { retryAfter });
}
