import type { Handler } from '../../platform/base/operation-request.ts';
import { callAnswer } from './answers.ts';
import { moveCall } from './move-call.ts';
import { deadLink, openSupportCall } from './support-link.ts';
import type { Parts } from '../parts.ts';

/** Confirms a reservation. A repeated confirmation is not an error: mail programs and impatient citizens open the link twice. */
export function confirmSupportCall({ commands, callMails }: Parts): Handler<'confirmSupportCall'> {
  return async ({ params, caller, origin }) => {
    const call = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const found = await openSupportCall(tx, params['id'] ?? '', { caller, now });
      if (found.state === 'Agendado') return found;
      if (found.confirmBy === null || found.confirmBy <= now) throw deadLink();
      const confirmed = await moveCall(command, found, 'confirm');
      if (confirmed === null) throw deadLink();
      await callMails.moved(command, confirmed, 'confirm');
      return confirmed;
    });
    return { body: callAnswer(call) };
  };
}

export function cancelSupportCall({ commands, callMails }: Parts): Handler<'cancelSupportCall'> {
  return async ({ params, caller, origin }) => {
    await commands.run(origin, async (command) => {
      const found = await openSupportCall(command.tx, params['id'] ?? '', { caller, now: command.now });
      const cancelled = await moveCall(command, found, 'cancel');
      if (cancelled === null) throw deadLink();
      await callMails.moved(command, cancelled, 'cancel');
    });
    return { body: {} };
  };
}
