import type { Handler } from '../base/call.ts';
import { CallError } from '../base/errors.ts';
import type { Config } from '../config/config.ts';
import type { Store, Tx } from '../database/open-store.ts';
import { ownCitizen } from '../identity/own-citizen.ts';
import type { Commands } from '../notices/commands.ts';

interface Needs {
  readonly commands: Commands;
  readonly config: Pick<Config, 'identityProviders'>;
  readonly store: Store;
}

/** The identity providers that are linked to the account, as the citizen knows them. */
export function getLinkedProviders({ config, store }: Needs): Handler<'getLinkedProviders'> {
  return async ({ caller }) => {
    const { citizen } = await ownCitizen(store.db, caller);
    return { body: await linkedTo(store.db, config, citizen.id) };
  };
}

/** Takes every link to a provider back. The session that came by it goes on, since its citizen is who asks. */
export function unlinkProvider({ commands, config }: Needs): Handler<'unlinkProvider'> {
  return async ({ params, caller, origin }) => {
    const idp = params['provider'] ?? '';
    const left = await commands.run(origin, async ({ tx, audit, notify }) => {
      const { citizen, sessionId } = await ownCitizen(tx, caller);
      const found = (await linkedTo(tx, config, citizen.id)).find(({ identificador }) => identificador === idp);
      if (found === undefined) throw new CallError(404, 'no_encontrado');
      await notify('provider-unlinked', citizen, { sessionId, values: { provider: found.nombre } });
      await tx
        .deleteFrom('provider_identities')
        .where('citizen_id', '=', citizen.id)
        .where('provider', '=', idp)
        .execute();
      await audit('provider-unlinked', citizen.id, { idp });
      return linkedTo(tx, config, citizen.id);
    });
    return { body: left };
  };
}

async function linkedTo(
  db: Store['db'] | Tx,
  { identityProviders }: Needs['config'],
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
