import type { Throttle } from '../../trust/abuse/throttle.ts';
import type { Handler } from '../../platform/base/operation-request.ts';
import type { Clock } from '../../platform/base/clock.ts';
import { readDocumentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Config } from '../../platform/config/config.ts';
import { consumeToken } from '../../trust/credentials/link-tokens.ts';
import type { Store } from '../../platform/database/open-store.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { mailIfWaiting } from './resend-activation.ts';
import { issueResendRight } from './resend-right.ts';
import { limits } from './limits.ts';

interface Needs {
  readonly commands: Commands;
  readonly clock: Clock;
  readonly config: Config;
  readonly store: Store;
  readonly throttle: Throttle;
}

/**
 * Sends the activation mail again by the one-time right of an earlier answer, and gives a new one for the next time. Only the right
 * knows the document that its use is counted under.
 */
export function resendPendingActivation(needs: Needs): Handler<'resendPendingActivation'> {
  const { commands, clock, throttle } = needs;
  return async ({ body, origin }) => {
    const right = await commands.run(origin, ({ tx, now }) => consumeToken(tx, 'resend', body.reenvio, now));
    if (right === null) throw new OperationError(400, 'reenvio_invalido');
    await throttle.admit(limits.resend, { address: origin.address, document: right.subject }, clock.now());
    const reenvio = await commands.run(origin, (command) => issueResendRight(command, right.subject));
    return {
      body: { resended: true, reenvio },
      after: () => mailIfWaiting(needs, origin, readDocumentId(right.subject)),
    };
  };
}
