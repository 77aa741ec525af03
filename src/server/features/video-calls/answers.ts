import type { Answer } from '../../../contract/contract.ts';
import { dateOf, timeOf } from '../../../contract/written/dates.ts';
import { minutesOf } from './call-mails.ts';
import type { VideoCall } from './calls.ts';

export function callAnswer(call: VideoCall): Answer<'bookSupportCall'> {
  return {
    id: call.id,
    estado: call.state,
    fecha: dateOf(call.startsAt),
    hora_inicio: timeOf(call.startsAt),
    minutos: minutesOf(call),
  };
}
