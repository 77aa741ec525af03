import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Parts } from '../app/parts.ts';
import { appendAudit, type AuditEntry } from '../audit/append-audit.ts';
import { findCitizen } from '../identity/citizens.ts';
import { citizenOfUsedToken, consumeToken, voidTokens } from '../credentials/link-tokens.ts';
import type { Tx } from '../database/open-store.ts';

/** Activates the account of a link, once; a later use of a used link hears that the account is active. */
export function activateAccount({ store, clock, throttle }: Parts): Handler<'activateAccount'> {
  return async ({ body, address, requestId }) => {
    await throttle.admit('activate', { address }, clock.now());
    const estado = await store.transaction(async (tx) => {
      const at = clock.now();
      const used = await consumeToken(tx, 'activation', body.uuid, at);
      if (used === null) return (await isActive(tx, body.uuid)) ? ('ya_activada' as const) : null;
      if (used.citizenId === null) return null;
      const entry = { at, action: 'activate', citizenId: used.citizenId, address, requestId };
      return (await activate(tx, used.citizenId, used.subject, entry)) ? ('activada' as const) : null;
    });
    if (estado === null) throw new CallError(400, 'vinculo_invalido');
    return { body: { estado } };
  };
}

/** The link proves the address that it was sent to: it counts only while that is still the citizen's. */
async function activate(tx: Tx, citizenId: string, email: string, entry: AuditEntry): Promise<boolean> {
  const changed = await tx
    .updateTable('citizens')
    .set(({ fn, val, ref }) => ({
      active_at: fn.coalesce(ref('active_at'), val(entry.at)),
      email_verified_at: entry.at,
    }))
    .where('id', '=', citizenId)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();
  if (!changed) return false;
  await voidTokens(tx, 'activation', citizenId, entry.at);
  await appendAudit(tx, entry);
  return true;
}

async function isActive(tx: Tx, secret: string): Promise<boolean> {
  const citizenId = await citizenOfUsedToken(tx, 'activation', secret);
  if (citizenId === null) return false;
  const citizen = await findCitizen(tx, citizenId);
  return citizen?.active_at != null;
}
