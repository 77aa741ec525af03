import type { Handler } from '../../platform/base/operation-request.ts';
import type { Config } from '../../platform/config/config.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { agentOf } from './agent.ts';

interface Needs {
  readonly store: Store;
  readonly config: Pick<Config, 'elevationSecondAgent'>;
}

export function getDesk({ store, config }: Needs): Handler<'getDesk'> {
  return async ({ caller }) => {
    const { id, name, actions } = await agentOf(store.db, caller);
    return { body: { id, nombre: name, permisos: [...actions], segundo_agente: config.elevationSecondAgent } };
  };
}
