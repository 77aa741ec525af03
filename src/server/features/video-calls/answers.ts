import type { Answer } from '../../../contract/contract.ts';
import { formatOfficialDate, formatTime } from '../../../contract/written/dates.ts';
import { countMinutes } from './call-mails.ts';
import type { VideoCall } from './calls.ts';

export function callAnswer(call: VideoCall): Answer<'bookSupportCall'> {
  return {
    id: call.id,
    estado: call.state,
    fecha: formatOfficialDate(call.startsAt),
    hora_inicio: formatTime(call.startsAt),
    minutos: countMinutes(call),
  };
}
