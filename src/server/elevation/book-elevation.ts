import type { Handler } from '../base/call.ts';
import type { Clock } from '../base/clock.ts';
import type { Config } from '../config/config.ts';
import type { Store } from '../database/open-store.ts';
import { fullName } from '../identity/citizens.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Registry } from '../identity/registry/registry.ts';
import type { Commands } from '../notices/commands.ts';
import { callAnswer } from '../video-calls/answers.ts';
import { bookCall } from '../video-calls/book-call.ts';
import type { CallMails } from '../video-calls/call-mails.ts';
import { checkMayElevate } from './eligible.ts';
import { checkCitizenCard, refuseCard } from './identity-card.ts';

interface Needs {
  readonly commands: Commands;
  readonly store: Store;
  readonly config: Pick<Config, 'agenda'>;
  readonly registry: Registry;
  readonly clock: Clock;
  readonly callMails: CallMails;
}

/** Books the call that raises the level; the card is checked again, since nobody but the server has to have done it before. */
export function bookElevation({
  commands,
  store,
  config,
  registry,
  clock,
  callMails,
}: Needs): Handler<'bookElevation'> {
  return async ({ body, caller, origin }) => {
    const { citizen: known } = await ownCitizen(store.db, caller);
    checkMayElevate(known);
    refuseCard(await checkCitizenCard(registry, known, { serial: body.numero_serie ?? '', now: clock.now() }));
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
        },
        'Agendado',
      );
      await callMails.send(command, 'call-booked', booked);
      return booked;
    });
    return { body: callAnswer(call) };
  };
}
