import dayjs from 'dayjs';
import states from '../../contract/call-states.json';
import { constants } from '../../contract/constants.ts';
import { inUruguay } from '../shell/dates.ts';

const rejected: ReadonlySet<string> = new Set(states.rejected);

/** Whether a video call that did not prove the identity is still told: until one month after its date (section 4.2). */
export function warnsOfRejectedCall(
  call: { readonly estado: string; readonly fecha: string } | null,
  now: Date,
): boolean {
  if (call === null || !rejected.has(call.estado)) return false;
  return dayjs(now).isBefore(inUruguay(call.fecha).add(constants.rejectedCallWarningMonths, 'month'));
}
