import { OperationError } from '../../platform/base/errors.ts';
import type { Tx } from '../../platform/database/open-store.ts';
import type { Agent } from '../desk/agent.ts';
import { deskCallById, type DeskCall } from '../desk/desk-call.ts';

/** A call that this agent has; to anybody else it is answered as one that does not exist. */
export async function attendedCall(tx: Tx, id: string, agent: Pick<Agent, 'id'>): Promise<DeskCall> {
  const call = await deskCallById(tx, id);
  if (call.agent?.id !== agent.id) throw new OperationError(404, 'llamada_desconocida');
  return call;
}
