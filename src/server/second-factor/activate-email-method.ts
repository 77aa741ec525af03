import type { Handler } from '../base/call.ts';
import { documentId } from '../base/document.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import type { Citizen } from '../identity/citizens.ts';
import { pendingEmail } from '../credentials/email-changes.ts';
import { citizenOfLiveToken } from '../credentials/link-tokens.ts';
import { prepareFactor } from '../credentials/second-factors.ts';
import { mailCode } from '../credentials/code-mail.ts';
import { maskEmail } from '../identity/mask-email.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import { setUpBinding } from '../credentials/set-up-binding.ts';

/**
 * Prepares codes by e-mail as a second factor: mails the code that activates them, and voids the one before. With the `uuid` of a
 * requested change of address the code goes to the new address, and proves that.
 */
export function activateEmailMethod(parts: Parts): Handler<'activateEmailMethod'> {
  const { store, clock, throttle } = parts;
  return async ({ body, caller, address, language }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const uuid = body.uuid ?? null;
    const email = uuid === null ? provenEmail(citizen) : await newEmail(parts, citizen, uuid);
    await throttle.admit('mailedCode', { address, document: documentId(citizen) }, clock.now());
    const id = await store.transaction(async (tx) => {
      const factor = await prepareFactor(tx, { citizenId: citizen.id, kind: 'email', now: clock.now() });
      await mailCode(tx, parts, { ...setUpBinding(factor, uuid), citizen, recipient: email, language });
      return factor;
    });
    return { body: { id, email: maskEmail(email) } };
  };
}

function provenEmail({ email, email_verified_at: verifiedAt }: Citizen): string {
  if (email === null || verifiedAt === null) throw new CallError(409, 'sin_correo');
  return email;
}

/** The address of the change that the uuid names: only the newest change has one that can be used. */
async function newEmail({ store, clock }: Parts, citizen: Citizen, uuid: string): Promise<string> {
  const owner = await citizenOfLiveToken(store.db, 'email-code', uuid, clock.now());
  const email = owner === citizen.id ? await pendingEmail(store.db, citizen.id) : null;
  if (email === null) throw new CallError(400, 'vinculo_invalido', { invalidToken: true });
  return email;
}
