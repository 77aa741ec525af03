import type { Handler } from '../../platform/base/operation-request.ts';
import { readDocumentId } from '../../platform/base/document.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { consumeToken, findLiveToken } from '../../trust/credentials/link-tokens.ts';
import { mailIfWaiting } from './resend-activation.ts';
import { issueResendRight } from './resend-right.ts';
import type { Parts } from '../parts.ts';

/** Resends the activation mail with a one-time right, and returns a new right. Counts under the document, which only the right identifies. */
export function resendPendingActivation(needs: Parts): Handler<'resendPendingActivation'> {
  const { commands, clock, throttle, limits } = needs;
  return async ({ body, origin }) => {
    const { store } = needs;
    const known = await findLiveToken(store.db, 'resend', body.reenvio, clock.now());
    if (known === null) throw new OperationError(400, 'reenvio_invalido');
    // Checked before the right is used up, so that a delayed caller can still use it.
    await throttle.admit(limits.resend, { address: origin.address, document: known.subject }, clock.now());
    const { right, reenvio } = await commands.run(origin, async (command) => {
      const used = await consumeToken(command.tx, 'resend', body.reenvio, command.now);
      if (used === null) throw new OperationError(400, 'reenvio_invalido');
      return { right: used, reenvio: await issueResendRight(command, used.subject) };
    });
    return {
      body: { resended: true, reenvio },
      after: () => mailIfWaiting(needs, origin, readDocumentId(right.subject)),
    };
  };
}
