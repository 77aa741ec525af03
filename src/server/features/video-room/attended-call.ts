import { OperationError } from '../../platform/base/errors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Agent } from '../desk/agent.ts';
import { deskCallById, type DeskCall } from '../desk/desk-call.ts';

/** Returns a call of this agent. Other calls get the same error as an unknown one. */
export async function attendedCall(tx: Tx, id: string, agent: Pick<Agent, 'id'>): Promise<DeskCall> {
  const call = await deskCallById(tx, id);
  if (call.agent?.id !== agent.id) throw new OperationError(404, 'llamada_desconocida');
  return call;
}
