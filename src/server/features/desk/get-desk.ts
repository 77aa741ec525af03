import type { Handler } from '../../platform/base/operation-request.ts';
import { agentOf } from './agent.ts';
import type { Parts } from '../parts.ts';

export function getDesk({ store, config }: Parts): Handler<'getDesk'> {
  return async ({ caller }) => {
    const { id, name, actions } = await agentOf(store.db, caller);
    return { body: { id, nombre: name, permisos: [...actions], segundo_agente: config.elevationSecondAgent } };
  };
}
