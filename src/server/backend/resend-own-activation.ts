import type { Handler } from '../call.ts';
import { documentId } from '../document.ts';
import { CallError } from '../errors.ts';
import type { Parts } from '../parts.ts';
import { findCitizen } from '../store/citizens.ts';
import { mailIfWaiting } from './resend-activation.ts';

/** Sends the validation mail of the signed-in citizen again; `resended` is false when there is nothing to validate. */
export function resendOwnActivation(parts: Parts): Handler<'resendOwnActivation'> {
  const { store, clock, throttle } = parts;
  return async ({ params, address, requestId, language }) => {
    const citizen = await findCitizen(store.db, params['id'] ?? '');
    if (citizen === null) throw new CallError(404, 'no_encontrado');
    if (citizen.email === null || citizen.email_verified_at !== null) return { body: { resended: false } };
    await throttle.admit('resend', { address, document: documentId(citizen) }, clock.now());
    await mailIfWaiting(parts, citizen, { address, requestId, language });
    return { body: { resended: true } };
  };
}
