import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit } from '../audit/append-audit.ts';
import { findCitizen } from '../identity/citizens.ts';
import { citizenOfLiveToken, consumeToken } from '../credentials/link-tokens.ts';
import { changePassword } from './change-password.ts';
import { text } from '../base/read-text.ts';

/** Sets a new password by the link of a mail, once. It signs nobody in, and sign-ins that had to wait may be tried again. */
export function confirmPasswordReset(parts: Parts): Handler<'confirmPasswordReset'> {
  const { store, clock, throttle, passwords } = parts;
  return async ({ body, address, requestId, language }) => {
    const token = text(body['token']);
    const invalid = new CallError(400, 'vinculo_invalido', { invalidToken: true });
    await throttle.admit('confirmReset', { address }, clock.now());
    if ((await citizenOfLiveToken(store.db, 'reset', token, clock.now())) === null) throw invalid; // spares the hashing
    const passwordHash = await passwords.hash(text(body['password']));
    const citizen = await store.transaction(async (tx) => {
      const now = clock.now();
      const used = await consumeToken(tx, 'reset', token, now);
      const found = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
      if (used === null || found === null || found.email !== used.subject) throw invalid;
      await changePassword(tx, parts, { citizen: found, passwordHash, keep: null, language });
      await appendAudit(tx, { at: now, action: 'reset-password', citizenId: found.id, address, requestId });
      return found;
    });
    await throttle.forgive('signIn', { document: documentId(citizen) });
    return { body: {} };
  };
}
