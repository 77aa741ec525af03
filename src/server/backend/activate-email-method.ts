import type { Handler } from '../call.ts';
import { documentId } from '../document.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { prepareFactor } from '../store/second-factors.ts';
import { mailCode } from './code-mail.ts';
import { maskEmail } from './mask-email.ts';
import { ownCitizen } from './own-citizen.ts';

/** Prepares codes by e-mail as a second factor: mails the code that activates them, and voids the one before. */
export function activateEmailMethod(parts: Parts): Handler<'activateEmailMethod'> {
  const { store, clock, throttle } = parts;
  return async ({ caller, address, language }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const { email } = citizen;
    if (email === null || citizen.email_verified_at === null) throw new CallError(409, 'sin_correo');
    await throttle.admit('mailedCode', { address, document: documentId(citizen) }, clock.now());
    const id = await store.transaction(async (tx) => {
      const owner = await prepareFactor(tx, { citizenId: citizen.id, kind: 'email', now: clock.now() });
      await mailCode(tx, parts, { purpose: 'set-up', owner, citizen, recipient: email, language });
      return owner;
    });
    return { body: { id, email: maskEmail(email) } };
  };
}
