import type { Handler } from '../base/call.ts';
import { readDocumentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { consumeToken } from '../credentials/link-tokens.ts';
import { mailIfWaiting } from './resend-activation.ts';
import { issueResendRight } from './resend-right.ts';

/** Sends the activation mail again by the one-time right of an earlier answer, and gives a new one for the next time. */
export function resendPendingActivation(parts: Parts): Handler<'resendPendingActivation'> {
  const { store, clock, throttle } = parts;
  return async ({ body, address, requestId, language }) => {
    const right = await store.transaction((tx) => consumeToken(tx, 'resend', body.reenvio, clock.now()));
    if (right === null) throw new CallError(400, 'reenvio_invalido');
    await throttle.admit('resend', { address, document: right.subject }, clock.now());
    const reenvio = await store.transaction((tx) => issueResendRight(tx, parts, right.subject));
    return {
      body: { resended: true, reenvio },
      after: () => mailIfWaiting(parts, readDocumentId(right.subject), { address, requestId, language }),
    };
  };
}
