import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { textsOf } from '../../platform/base/texts.ts';
import { activeFactors, isActive } from '../../trust/credentials/second-factors.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { demandsSecondFactor } from '../../trust/identity/levels.ts';
import { raiseLevel } from '../../trust/identity/raise-level.ts';
import { raiseSession } from '../../trust/sessions/raise-session.ts';
import { findCall, newestCalls } from '../video-calls/calls.ts';
import { moveCall } from '../video-calls/move-call.ts';
import { actIn } from '../video-calls/states.ts';
import own from './texts.json' with { type: 'json' };
import type { Parts } from '../parts.ts';

const textOf = textsOf(own);

/** Cancels the citizen's pending call. Fails with 404 if it belongs to somebody else or is over. */
export function cancelElevation({ commands, callMails }: Parts): Handler<'cancelElevation'> {
  return async ({ params, caller, origin }) => {
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
}

/** Raises the citizen's level, once an agent has identified them in a call and they accept the terms. */
export function acceptElevation({ commands }: Parts): Handler<'acceptElevation'> {
  return ({ caller, origin }) =>
    commands.run(origin, async (command) => {
      const { tx, audit, notify } = command;
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      if (demandsSecondFactor(citizen)) throw new OperationError(404, 'accion_ya_realizada'); // the level was raised by other means meanwhile
      const { elevation: call } = await newestCalls(tx, citizen.id);
      const accepted = call === undefined ? null : await moveCall(command, call, 'accept');
      if (accepted === null) throw new OperationError(404, 'accion_ya_realizada');
      const raised = await raiseLevel(tx, citizen);
      await raiseSession(tx, { id: sessionId, citizen: raised });
      await audit('level-raised', citizen.id, { by: 'video-call', level: raised.level, call: accepted.id });
      await notify('level-raised', citizen, {
        sessionId,
        values: { means: textOf('medio_videollamada', origin.language) },
      });
      return { body: { falta_segundo_factor: !isActive(await activeFactors(tx, citizen.id)) } };
    });
}
