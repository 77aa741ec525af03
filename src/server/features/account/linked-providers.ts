import type { Handler } from '../../platform/base/operation-request.ts';
import { OperationError } from '../../platform/base/errors.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { endGrants, endedApplications } from '../../trust/federation/oidc/session-clients.ts';
import { refuseIdentities } from '../../trust/federation/upstream/identities.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { revokeSessions } from '../../trust/sessions/revoke-sessions.ts';
import type { Parts } from '../parts.ts';

export function getLinkedProviders({ config, store }: Parts): Handler<'getLinkedProviders'> {
  return async ({ caller }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: await linkedTo(store.db, config, citizen.id) };
  };
}

/** Unlinks a provider and ends the sessions started with it, except the caller's. To link it again, the citizen must be signed in by other means. */
export function unlinkProvider({ commands, config, tellEnds, vault }: Parts): Handler<'unlinkProvider'> {
  return async ({ params, caller, origin }) => {
    const idp = params['provider'] ?? '';
    const { left, ended } = await commands.run(origin, async ({ tx, now, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const found = (await linkedTo(tx, config, citizen.id)).find(({ identificador }) => identificador === idp);
      if (found === undefined) throw new OperationError(404, 'no_encontrado');
      await notify('provider-unlinked', citizen, { sessionId, values: { provider: found.nombre } });
      await refuseIdentities(tx, citizen.id, now, idp);
      const sessions = await revokeSessions(tx, citizen.id, now, sessionId, idp);
      await endGrants(tx, await endedApplications(tx, vault, sessions));
      await audit('provider-unlinked', citizen.id, { idp, sessions: sessions.length });
      return { left: await linkedTo(tx, config, citizen.id), ended: sessions };
    });
    return { body: left, after: async () => void (await tellEnds(ended.map(({ id }) => id))) };
  };
}

async function linkedTo(
  db: Store['db'] | Tx,
  { identityProviders }: Pick<Parts, 'commands' | 'config' | 'tellEnds' | 'store' | 'vault'>['config'],
  citizenId: string,
): Promise<{ identificador: string; nombre: string; desde: string }[]> {
  const rows = await db
    .selectFrom('provider_identities')
    .select(({ fn }) => ['provider', fn.min('linked_at').as('since')])
    .where('citizen_id', '=', citizenId)
    .groupBy('provider')
    .orderBy('provider')
    .execute();
  return rows.map(({ provider, since }) => ({
    identificador: provider,
    nombre: identityProviders.find(({ identificador }) => identificador === provider)?.nombre ?? provider,
    desde: since.toISOString(),
  }));
}
