import type { Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { callAnswer } from './answers.ts';
import { entryOf } from './room.ts';
import { isOver } from './states.ts';
import { deadLink, openSupportCall } from './support-link.ts';

interface Needs {
  readonly store: Store;
  readonly clock: Clock;
  readonly config: Pick<Config, 'jitsi' | 'flags'>;
}

/** Returns a support call for its pages. If the call is over and was not cancelled, the error is the same as for an invalid link. */
export function getSupportCall({ store, clock, config }: Needs): Handler<'getSupportCall'> {
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
