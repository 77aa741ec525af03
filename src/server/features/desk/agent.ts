import { deskResource } from '../../../contract/desk.ts';
import type { Caller } from '../../platform/base/operation-request.ts';
import { ownOrigin, type Origin } from '../../platform/base/origin.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { commandOf } from '../../trust/identity/four-eyes.ts';
import { fullName } from '../../trust/identity/citizens.ts';
import { ownCitizen } from '../../trust/identity/own-citizen.ts';

/** Who sits at the desk. */
export interface Agent {
  /** Id of their own account: they never decide about it. */
  readonly id: string;
  /** Id of their document. */
  readonly document: string;
  readonly name: string;
  /** As the audit log names them: with their document. */
  readonly signature: string;
  readonly actions: readonly string[];
}

/** The agent who makes a call; its row of the contract has let nobody else through. */
export async function agentOf(db: Store['db'] | Tx, caller: Caller | null): Promise<Agent> {
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

/** The origin of what an agent does to somebody else's account: by an agent, from where the agent sits. */
export function atDesk(origin: Origin): Origin {
  return { ...origin, by: 'agent', language: 'es' };
}

/** In whose name something is done for the citizens, and from where. */
export interface By {
  readonly origin: Origin;
  readonly by: (tx: Tx) => Promise<Pick<Agent, 'id' | 'name' | 'signature'>>;
}

/** An agent at the desk, by their session. */
export function byAgent(caller: Caller | null, origin: Origin): By {
  return { origin: atDesk(origin), by: (tx) => agentOf(tx, caller) };
}

/** Who gives a command, by the name of the system's user. */
export function byCommand(operator: string): By {
  const agent = { id: commandOf(operator), name: operator, signature: operator };
  return { origin: ownOrigin('agent', 'command'), by: () => Promise.resolve(agent) };
}
