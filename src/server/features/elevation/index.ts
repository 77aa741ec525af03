import type { Topic } from '../../platform/topics/topic.ts';
import texts from './texts.json' with { type: 'json' };
import { checkCard } from './check-card.ts';
import { dayS, hourS } from '../../platform/base/periods.ts';
import { nameLimits } from '../../platform/topics/limit.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { callAnswer, findCall, newestCalls } from '../video-calls/calls.ts';
import { bookCall } from '../video-calls/book-call.ts';
import { hasPassedCardCheck, checkMayElevate, checkCitizenCard, refuseCard } from './identity-card.ts';
import type { Handler } from '../parts.ts';
import { createTexts } from '../../platform/base/texts.ts';
import { activeFactors, isActive } from '../../trust/credentials/second-factors.ts';
import { demandsSecondFactor, raiseLevel } from '../../trust/identity/levels.ts';
import { raiseSession } from '../../trust/sessions/raise-session.ts';
import { moveCall } from '../video-calls/move-call.ts';
import { actIn } from '../video-calls/states.ts';

export const topic = {
  handlers: () => ({ checkCard, bookElevation, cancelElevation, acceptElevation }),
  texts,
  limits: nameLimits({
    checkCard: { address: { free: 60, windowS: hourS }, document: { free: 10, windowS: dayS } },
  }),
  tables: {
    card_checks: {
      data: 'That a session passed the check of the identity card',
      why: 'Raising the level',
      readers: [],
      kept: 'as long as its session is remembered',
    },
  },
} as const satisfies Topic;

declare module '../../platform/database/schema.ts' {
  interface Database {
    card_checks: { session_id: string; passed_at: Date };
  }
}

const textOf = createTexts(texts);

/** Cancels the citizen's pending call. Fails with 404 if it belongs to somebody else or is over. */
const cancelElevation: Handler<'cancelElevation'> = async ({ commands, callMails }, { params, caller, origin }) => {
  await commands.run(origin, async (command) => {
    const call = await findCall(command.tx, 'elevation', params['id'] ?? '');
    if (call === null || caller === null || call.citizenId !== caller.citizenId)
      throw new OperationError(404, 'no_encontrado');
    const act = actIn(call.state, 'cancel');
    const cancelled = await moveCall(command, call, act);
    if (cancelled === null) throw new OperationError(404, 'no_encontrado');
    await callMails.moved(command, cancelled, act);
  });
  return { body: {} };
};

/** Raises the citizen's level, once an agent has identified them in a call and they accept the terms. */
const acceptElevation: Handler<'acceptElevation'> = ({ commands }, { caller, cookies, origin }) =>
  commands.run(origin, async (command) => {
    const { tx, now, audit, notify } = command;
    const { citizen, sessionId } = await ownCitizen(tx, caller);
    if (demandsSecondFactor(citizen)) throw new OperationError(404, 'accion_ya_realizada'); // the level was raised without this call meanwhile
    const { elevation: call } = await newestCalls(tx, citizen.id);
    const accepted = call === undefined ? null : await moveCall(command, call, 'accept');
    if (accepted === null) throw new OperationError(404, 'accion_ya_realizada');
    const raised = await raiseLevel(tx, citizen);
    const renewed = await raiseSession(tx, { id: sessionId, citizen: raised, cookie: cookies.session, now });
    await audit('level-raised', citizen.id, { by: 'video-call', level: raised.level, call: accepted.id });
    await notify('level-raised', citizen, {
      sessionId,
      values: { means: textOf('medio_videollamada', origin.language) },
    });
    return { body: { falta_segundo_factor: !isActive(await activeFactors(tx, citizen.id)) }, ...renewed };
  });

/** Books the call that raises the level. Checks surname and age again. Needs a serial number, unless this session passed the card check. */
const bookElevation: Handler<'bookElevation'> = async (
  { commands, store, config, registry, clock, callMails },
  { body, extra = [], caller, origin },
) => {
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
