import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { confirmableFrom } from '../../trust/credentials/email-changes.ts';
import { consumeToken, findUsedToken } from '../../trust/credentials/link-tokens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { makeEmailChange } from './make-email-change.ts';

/** Confirms a new address with the one-time link that was mailed to it, signed in or not. A second use reports that it is already confirmed. */
export function approveEmailChange({ commands }: { commands: Commands }): Handler<'approveEmailChange'> {
  return async ({ body, caller, origin }) => {
    const estado = await commands.run(origin, async (command) => {
      const { tx, now, when } = command;
      const by = await consumeToken(tx, 'email-change', body.uuid, now);
      if (by === null) return (await wasConfirmed(tx, body.uuid)) ? ('ya_confirmado' as const) : null;
      const from = by.citizenId === null ? null : await confirmableFrom(tx, by.citizenId, by.subject, now);
      if (from !== null) throw new OperationError(409, 'correo_antes_de_plazo', { values: { cuando: when(from) } }); // the link stays valid
      return (await makeEmailChange(command, { by, caller })) ? ('confirmado' as const) : null;
    });
    if (estado === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: { estado } };
  };
}

/** Distinguishes a used link from one that another change has voided: after a confirmation, the account has its address. */
async function wasConfirmed(tx: Tx, secret: string): Promise<boolean> {
  const used = await findUsedToken(tx, 'email-change', secret);
  const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  return citizen !== null && citizen.email === used?.subject && citizen.email_verified_at !== null;
}
