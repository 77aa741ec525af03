import states from '../../contract/call-states.json';
import { constants } from '../../contract/constants.ts';
import type { Flags } from '../../contract/flags.ts';
import { inUruguay } from '../shell/dates.ts';

interface Booked {
  readonly estado: string;
  readonly fecha: string;
  readonly hora_inicio: string;
}

const enterable: ReadonlySet<string> = new Set(states.enterable);

/**
 * Milliseconds until a booked call can be entered from the overview: 0 from five minutes before its start, or on its whole day where
 * `videollamada_5_minutos_antes` is off, until that day ends (sections 4.2 and 9). Null: its day is over, or the call was held.
 */
export function msUntilEntry(
  call: Booked,
  flags: Pick<Flags, 'videollamada_5_minutos_antes'>,
  now: Date,
): number | null {
  const day = inUruguay(call.fecha);
  if (!enterable.has(call.estado) || !day.add(1, 'day').isAfter(now)) return null;
  const opening = flags.videollamada_5_minutos_antes
    ? inUruguay(`${call.fecha}T${call.hora_inicio}`).subtract(constants.videoCallEntryMinutes, 'minute')
    : day;
  return Math.max(0, opening.valueOf() - now.getTime());
}
