import { deskResource } from '../../../contract/desk.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { ownOrigin, type Origin } from '../../platform/base/origin.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { nameOperator } from '../../trust/identity/four-eyes.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';
import { OperationError } from '../../platform/base/errors.ts';

export interface Agent {
  /** Id of the agent's account. Agents cannot decide about their own account. */
  readonly id: string;
  /** Id of the agent's document. */
  readonly document: string;
  readonly name: string;
  /** Name and document, for the audit log. */
  readonly signature: string;
  readonly actions: readonly string[];
}

/** Returns the calling agent. The contract already limits these operations to agents. */
export async function findAgent(db: Store['db'] | Tx, caller: Caller | null): Promise<Agent> {
  const { citizen } = await ownCitizen(db, caller);
  const name = fullName(citizen);
  return {
    id: citizen.id,
    document: caller?.document ?? '',
    name,
    signature: `${name} (${caller?.document ?? ''})`,
    actions: caller?.permisos[deskResource] ?? [],
  };
}

/** Returns the origin of an agent's act on the account of somebody else. */
export function atDesk(origin: Origin): Origin {
  return { ...origin, by: 'agent', language: 'es' };
}

/** Agent or operator who acts for citizens, and the origin of their acts. */
export interface DeskActor {
  readonly origin: Origin;
  readonly by: (tx: Tx) => Promise<Pick<Agent, 'id' | 'name' | 'signature'>>;
}

/** Identifies an agent by their session. */
export function byAgent(caller: Caller | null, origin: Origin): DeskActor {
  return { origin: atDesk(origin), by: (tx) => findAgent(tx, caller) };
}

/** Identifies the operator of a command by their name in the operating system. */
export function byCommand(operator: string): DeskActor {
  const agent = { id: nameOperator(operator), name: operator, signature: operator };
  return { origin: ownOrigin('agent', 'command'), by: () => Promise.resolve(agent) };
}

/** No account or record matches. */
export function unknown(): OperationError {
  return new OperationError(409, 'cuenta_desconocida');
}

export function own(): OperationError {
  return new OperationError(409, 'cuenta_propia');
}

/** The account is not activated, or is blocked. */
export function inactive(): OperationError {
  return new OperationError(409, 'cuenta_inactiva');
}

/** Within seven days, this agent made another change that decides who owns the account. */
export function otherAgent(): OperationError {
  return new OperationError(409, 'nivel_y_correo');
}
