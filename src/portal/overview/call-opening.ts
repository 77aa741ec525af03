import type { Answer } from '../../contract/contract.ts';
import { inUruguay } from '../shell/dates.ts';

type Booked = NonNullable<Answer<'getCitizen'>['info_tramite_videollamada_pendiente']>;

/**
 * Milliseconds until the overview offers to enter a booked call: from when the server opens its room, on the day of the call. Null: not any more, since
 * the room opens for it no longer or its day is over.
 */
export function msUntilEntry({ fecha, abre, sala, link }: Booked, now: Date): number | null {
  const day = inUruguay(fecha);
  if (!day.add(1, 'day').isAfter(now)) return null;
  if (abre === null && !sala && link === null) return null;
  return Math.max(0, new Date(abre ?? now).getTime() - now.getTime(), day.valueOf() - now.getTime());
}
