import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import { confirmableFrom } from '../../trust/credentials/email-changes.ts';
import { consumeToken, findUsedToken } from '../../trust/credentials/link-tokens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import type { Commands } from '../../trust/notices/commands.ts';
import { makeEmailChange } from './make-email-change.ts';

/** Changes the address by the link that was mailed to it, once, signed in or not; a later use hears that it was confirmed. */
export function approveEmailChange({ commands }: { commands: Commands }): Handler<'approveEmailChange'> {
  return async ({ body, caller, origin }) => {
    const estado = await commands.run(origin, async (command) => {
      const { tx, now, when } = command;
      const by = await consumeToken(tx, 'email-change', body.uuid, now);
      if (by === null) return (await wasConfirmed(tx, body.uuid)) ? ('ya_confirmado' as const) : null;
      const from = by.citizenId === null ? null : await confirmableFrom(tx, by.citizenId, by.subject, now);
      if (from !== null) throw new OperationError(409, 'correo_antes_de_plazo', { values: { cuando: when(from) } }); // the link stays unused
      return (await makeEmailChange(command, { by, caller })) ? ('confirmado' as const) : null;
    });
    if (estado === null) throw new OperationError(400, 'vinculo_invalido', { invalidToken: true });
    return { body: { estado } };
  };
}

/** A used link is told from one that gave way to another change by the address that the account has now. */
async function wasConfirmed(tx: Tx, secret: string): Promise<boolean> {
  const used = await findUsedToken(tx, 'email-change', secret);
  const citizen = used?.citizenId == null ? null : await findCitizen(tx, used.citizenId);
  return citizen !== null && citizen.email === used?.subject && citizen.email_verified_at !== null;
}
