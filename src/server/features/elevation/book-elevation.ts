import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { callAnswer } from '../video-calls/answers.ts';
import { bookCall } from '../video-calls/book-call.ts';
import { hasPassedCardCheck } from './card-checks.ts';
import { checkMayElevate } from './eligible.ts';
import { checkCitizenCard, refuseCard } from './identity-card.ts';
import type { Parts } from '../parts.ts';

/** Books the call that raises the level. Checks surname and age again. Needs a serial number, unless this session passed the card check. */
export function bookElevation({
  commands,
  store,
  config,
  registry,
  clock,
  callMails,
}: Parts): Handler<'bookElevation'> {
  return async ({ body, extra = [], caller, origin }) => {
    const { citizen: known, sessionId } = await ownCitizen(store.db, caller);
    checkMayElevate(known);
    const { numero_serie: serial } = body;
    const now = clock.now();
    if (serial === undefined && !(await hasPassedCardCheck(store, sessionId, now)))
      throw new OperationError(400, 'identidad_sin_comprobar', { field: 'numero_serie' });
    const checked = await checkCitizenCard(registry, known, { serial: serial ?? '', now });
    refuseCard(serial === undefined ? { ...checked, numero_serie: true } : checked);
    const call = await commands.run(origin, async (command) => {
      const { citizen } = await ownCitizen(command.tx, caller);
      checkMayElevate(citizen);
      const booked = await bookCall(
        command,
        config,
        {
          kind: 'elevation',
          date: body.fecha ?? '',
          time: body.hora ?? '',
          citizenId: citizen.id,
          document: { country: citizen.country, type: citizen.type, number: citizen.number },
          name: fullName(citizen),
          email: citizen.email_verified_at === null ? '' : (citizen.email ?? ''),
          phone: citizen.phone ?? (body.numero_telefono ?? '').trim(),
          subject: '',
          message: '',
          extra,
        },
        'Agendado',
      );
      await callMails.send(command, 'call-booked', booked);
      return booked;
    });
    return { body: callAnswer(call) };
  };
}
