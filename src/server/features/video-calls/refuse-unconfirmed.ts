import { countedAddress } from '../../platform/base/addresses.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { dateOf } from '../../platform/base/zone.ts';
import type { Config } from '../../platform/config/config.ts';
import { hashSecret } from '../../platform/keys/secrets.ts';
import { readSlots } from '../agenda/availability.ts';
import { countUnconfirmed, unconfirmedPlaces } from '../agenda/unconfirmed.ts';
import type { Command } from '../../trust/notices/commands.ts';
import type { VideoCall } from './calls.ts';

/** Unconfirmed reservations that anonymous visitors of one network may hold at a time: many citizens share the address of a mobile network. */
export const mostOfNetwork = 5;

/** Network of an anonymous visitor, as the table of calls holds it. */
export function networkDigest(address: string): string {
  return hashSecret(`call network ${countedAddress(address)}`);
}

/**
 * Refuses the reservation that an anonymous visitor has just made, if unconfirmed ones now hold more than their share of the day, or more than one
 * network may hold. It counts after the insert: of two that are made at once, the serializable transaction of one begins again and sees the other.
 */
export async function refuseUnconfirmed(
  { tx, now, origin }: Command,
  config: Pick<Config, 'agenda'>,
  { kind: agenda, startsAt }: VideoCall,
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
  const slots = (await readSlots(tx, config, day)).get(date) ?? [];
  if (held > unconfirmedPlaces(slots)) throw new OperationError(409, 'sin_cupos');
}
