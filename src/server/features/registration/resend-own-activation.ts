import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { sendEmailChangeMail } from '../contact-data/email-change-mail.ts';
import { confirmableFrom, pendingEmail } from '../../trust/credentials/email-changes.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import { mailIfWaiting } from './resend-activation.ts';
import type { Parts } from '../parts.ts';

/** Resends the link of a requested change, or else the one that validates the address. `resended` is false if there is nothing to validate. */
export function resendOwnActivation(needs: Parts): Handler<'resendOwnActivation'> {
  const { commands, config, store } = needs;
  return async ({ params, origin }) => {
    const citizen = await findCitizen(store.db, params['id'] ?? '');
    if (citizen === null) throw new OperationError(404, 'no_encontrado');
    const changes = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const email = await pendingEmail(tx, citizen.id);
      if (email === null) return false;
      const confirmFrom = await confirmableFrom(tx, citizen.id, email, now);
      await sendEmailChangeMail(command, config, { citizen, email, confirmFrom });
      await command.audit('resend-email-change', citizen.id);
      return true;
    });
    if (changes) return { body: { resended: true } };
    if (citizen.email === null || citizen.email_verified_at !== null) return { body: { resended: false } };
    await mailIfWaiting(needs, origin, citizen);
    return { body: { resended: true } };
  };
}
