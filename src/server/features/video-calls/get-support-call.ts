import type { Handler } from '../../platform/base/operation-request.ts';
import { callAnswer } from './answers.ts';
import { entryOf } from './room.ts';
import { isOver } from './states.ts';
import { deadLink, openSupportCall } from './support-link.ts';
import type { Parts } from '../parts.ts';

/** Returns a support call for its pages. If the call is over and was not cancelled, the error is the same as for an invalid link. */
export function getSupportCall({ store, clock, config }: Parts): Handler<'getSupportCall'> {
  return async ({ params, caller }) => {
    const now = clock.now();
    const call = await openSupportCall(store.db, params['id'] ?? '', { caller, now });
    if (isOver(call.state) && call.state !== 'Cancelado') throw deadLink();
    return {
      body: {
        ...callAnswer(call),
        asunto: call.subject,
        informacion_contacto: { nombre_completo: call.name },
        ...(await entryOf(call, config, now)),
      },
    };
  };
}
