import { OperationError } from '../../platform/base/errors.ts';
import { citizenOfUsedToken, consumeToken, voidTokens } from '../../trust/credentials/link-tokens.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import { findCitizen } from '../../trust/identity/citizens.ts';
import type { Command } from '../../trust/notices/commands.ts';
import type { Handler } from '../parts.ts';

/** Activates an account with its one-time link. A second use reports that the account is already active. */
export const activateAccount: Handler<'activateAccount'> = async ({ commands }, { body, origin }) => {
  const estado = await commands.run(origin, async (command) => {
    const used = await consumeToken(command.tx, 'activation', body.uuid, command.now);
    if (used === null) return (await isActive(command.tx, body.uuid)) ? ('ya_activada' as const) : null;
    if (used.citizenId === null) return null;
    return (await activate(command, used.citizenId, used.subject)) ? ('activada' as const) : null;
  });
  if (estado === null) throw new OperationError(400, 'vinculo_invalido');
  return { body: { estado } };
};

/** The link proves the address that it was sent to. So it only works while the citizen still has that address. */
async function activate({ tx, now, audit }: Command, citizenId: string, email: string): Promise<boolean> {
  const changed = await tx
    .updateTable('citizens')
    .set(({ fn, val, ref }) => ({ active_at: fn.coalesce(ref('active_at'), val(now)), email_verified_at: now }))
    .where('id', '=', citizenId)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return false;
  await voidTokens(tx, 'activation', citizenId, now);
  await audit('activate', citizenId);
  return true;
}

async function isActive(tx: Tx, secret: string): Promise<boolean> {
  const citizenId = await citizenOfUsedToken(tx, 'activation', secret);
  if (citizenId === null) return false;
  const citizen = await findCitizen(tx, citizenId);
  return citizen?.active_at != null;
}
