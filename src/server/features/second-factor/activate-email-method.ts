import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { pendingEmail } from '../../trust/credentials/email-changes.ts';
import { citizenOfLiveToken } from '../../trust/credentials/link-tokens.ts';
import { prepareFactor } from '../../trust/credentials/second-factors.ts';
import { setUpBinding } from '../../trust/credentials/set-up-binding.ts';
import type { Citizen } from '../../trust/identity/citizens.ts';
import { maskEmail } from '../../trust/identity/mask-email.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { mailCode } from '../../trust/notices/code-mail.ts';
import type { Parts } from '../parts.ts';

/** Mails a code that activates the e-mail method. With the `uuid` of a change of address, it is sent to the new address and proves it. */
export function activateEmailMethod({ commands, store, clock, vault }: Parts): Handler<'activateEmailMethod'> {
  return async ({ body, caller, origin }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    const uuid = body.uuid ?? null;
    const email = uuid === null ? provenEmail(citizen) : await newEmail({ store, clock }, citizen, uuid);
    const id = await commands.run(origin, async (command) => {
      const { tx, now } = command;
      const factor = await prepareFactor(tx, { citizenId: citizen.id, kind: 'email', now });
      const cause = uuid === null ? 'trusted' : 'anyone';
      await mailCode(command, vault, { ...setUpBinding(factor, uuid), citizen, recipient: email, cause });
      return factor;
    });
    return { body: { id, email: maskEmail(email) } };
  };
}

function provenEmail({ email, email_verified_at: verifiedAt }: Citizen): string {
  if (email === null || verifiedAt === null) throw new OperationError(409, 'sin_correo');
  return email;
}

/** Returns the address of the change that `uuid` names. Only the newest change is usable. */
async function newEmail(
  { store, clock }: Pick<Parts, 'store' | 'clock'>,
  citizen: Citizen,
  uuid: string,
): Promise<string> {
  const owner = await citizenOfLiveToken(store.db, 'email-code', uuid, clock.now());
  const email = owner === citizen.id ? await pendingEmail(store.db, citizen.id) : null;
  if (email === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
  return email;
}
