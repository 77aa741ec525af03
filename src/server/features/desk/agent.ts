import { deskResource } from '../../../contract/desk.ts';
import type { OperationName } from '../../../contract/contract.ts';
import type { Caller, OperationRequest, HandlerResult } from '../../platform/base/operation-request.ts';
import type { Command } from '../../trust/notices/commands.ts';
import type { HandlerContext } from '../handler-context.ts';
import type { AnyHandler } from '../../platform/topics/topic.ts';
import { createInternalOrigin, type Origin } from '../../platform/base/origin.ts';
import type { Store, Tx } from '../../platform/database/open-store.ts';
import { formatOperatorId } from '../../trust/identity/four-eyes.ts';
import { formatFullName } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { OperationError } from '../../platform/base/errors.ts';

export interface Agent {
  /** Id of the agent's account, on which the agent may not act. */
  readonly id: string;
  /** The agent's identity document, as `formatDocumentId` formats it. */
  readonly document: string;
  readonly name: string;
  /** Name and document, for the audit log. */
  readonly signature: string;
  readonly actions: readonly string[];
}

/** Returns the agent who is the caller. The authorization of desk operations has already rejected other callers. */
export async function findAgent(db: Store['db'] | Tx, caller: Caller | null): Promise<Agent> {
  const { citizen } = await readCallerAccount(db, caller);
  const name = formatFullName(citizen);
  return {
    id: citizen.id,
    document: caller?.document ?? '',
    name,
    signature: `${name} (${caller?.document ?? ''})`,
    actions: caller?.permisos[deskResource] ?? [],
  };
}

/** Returns a request's origin with an agent as the actor, for actions on other people's accounts. Notices about them are in Spanish. */
export function toAgentOrigin(origin: Origin): Origin {
  return { ...origin, by: 'agent', language: 'es' };
}

/** Creates a handler of a desk operation that runs in one command, with the agent who calls it. */
export function createDeskCommandHandler<Name extends OperationName>(
  act: (
    command: Command & { readonly agent: Agent },
    request: OperationRequest<Name>,
    parts: HandlerContext,
  ) => Promise<HandlerResult<Name>>,
): AnyHandler<Name, HandlerContext> {
  return (parts, request) =>
    parts.commands.run(toAgentOrigin(request.origin), async (command) =>
      act({ ...command, agent: await findAgent(command.tx, request.caller) }, request, parts),
    );
}

/** Agent or operator who acts on citizens' accounts, and the origin of these actions. */
export interface DeskActor {
  readonly origin: Origin;
  readonly by: (tx: Tx) => Promise<Pick<Agent, 'id' | 'name' | 'signature'>>;
}

export function createAgentActor(caller: Caller | null, origin: Origin): DeskActor {
  return { origin: toAgentOrigin(origin), by: (tx) => findAgent(tx, caller) };
}

/** Creates the actor for an operator on the command line. `operator` is the operator's user name. */
export function createCommandActor(operator: string): DeskActor {
  const agent = { id: formatOperatorId(operator), name: operator, signature: operator };
  return { origin: createInternalOrigin('agent', 'command'), by: () => Promise.resolve(agent) };
}

/** Error codes of refused actions by their outcome. `inactive`: the account is not activated, or is blocked. */
const refusalCodes = {
  unknown: 'cuenta_desconocida',
  own: 'cuenta_propia',
  inactive: 'cuenta_inactiva',
  'no-address': 'cuenta_sin_correo',
  agent: 'cuenta_de_agente',
  'other-agent': 'nivel_y_correo',
} as const;

export function createRefusal(outcome: keyof typeof refusalCodes): OperationError {
  return new OperationError(409, refusalCodes[outcome]);
}

/** Throws the error of a refused action. Does nothing if the action was performed. */
export function throwRefusal(outcome: string): void {
  if (Object.hasOwn(refusalCodes, outcome)) throw createRefusal(outcome as keyof typeof refusalCodes);
}
