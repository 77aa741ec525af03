import { deskPermissionResource } from '../../../contract/desk-permissions.ts';
import type { OperationName } from '../../../contract/contract.ts';
import type { Caller, OperationRequest, OperationHandlerResult } from '../../platform/base/operation-request.ts';
import type { DatabaseCommand } from '../../trust/notices/database-commands.ts';
import type { HandlerContext } from '../handler-context.ts';
import type { ModuleHandler } from '../../platform/modules/server-module.ts';
import { createInternalChangeOrigin, type ChangeOrigin } from '../../platform/base/change-origin.ts';
import type { DatabaseStore, Tx } from '../../platform/database/open-store.ts';
import { formatOperatorId } from '../../trust/identity/dual-control.ts';
import { formatFullName } from '../../trust/identity/citizens.ts';
import { readCallerAccount } from '../../trust/identity/read-caller-account.ts';
import { OperationError } from '../../platform/base/errors.ts';

export interface DeskAgent {
  /** Id of the agent's account, on which the agent may not act. */
  readonly id: string;
  /** The agent's identity document, as `formatDocumentId` formats it. */
  readonly document: string;
  readonly name: string;
  /** Name and document, for the audit log. */
  readonly signature: string;
  readonly actions: readonly string[];
}

/** Returns the agent who sent the request. The authorization of desk operations has already rejected callers who are no agents. */
export async function findRequestingAgent(db: DatabaseStore['db'] | Tx, caller: Caller | null): Promise<DeskAgent> {
  const { citizen } = await readCallerAccount(db, caller);
  const name = formatFullName(citizen);
  return {
    id: citizen.id,
    document: caller?.document ?? '',
    name,
    signature: `${name} (${caller?.document ?? ''})`,
    actions: caller?.permisos[deskPermissionResource] ?? [],
  };
}

/** Returns a request's origin with an agent as the actor, for actions on other people's accounts. Notices about them are in Spanish. */
export function toAgentChangeOrigin(origin: ChangeOrigin): ChangeOrigin {
  return { ...origin, by: 'agent', language: 'es' };
}

export function createDeskCommandHandler<Name extends OperationName>(
  act: (
    command: DatabaseCommand & { readonly agent: DeskAgent },
    request: OperationRequest<Name>,
    parts: HandlerContext,
  ) => Promise<OperationHandlerResult<Name>>,
): ModuleHandler<Name, HandlerContext> {
  return (parts, request) =>
    parts.commands.run(toAgentChangeOrigin(request.origin), async (command) =>
      act({ ...command, agent: await findRequestingAgent(command.tx, request.caller) }, request, parts),
    );
}

export interface DeskActor {
  readonly origin: ChangeOrigin;
  readonly findActor: (tx: Tx) => Promise<Pick<DeskAgent, 'id' | 'name' | 'signature'>>;
}

export function createAgentActor(caller: Caller | null, origin: ChangeOrigin): DeskActor {
  return { origin: toAgentChangeOrigin(origin), findActor: (tx) => findRequestingAgent(tx, caller) };
}

export function createOperatorActor(operator: string): DeskActor {
  const agent = { id: formatOperatorId(operator), name: operator, signature: operator };
  return { origin: createInternalChangeOrigin('agent', 'command'), findActor: () => Promise.resolve(agent) };
}

const refusalCodes = {
  unknown: 'cuenta_desconocida',
  own: 'cuenta_propia',
  inactive: 'cuenta_inactiva',
  'no-address': 'cuenta_sin_correo',
  agent: 'cuenta_de_agente',
  'other-agent': 'nivel_y_correo',
} as const;

export function createDeskActionError(outcome: keyof typeof refusalCodes): OperationError {
  return new OperationError(409, refusalCodes[outcome]);
}

export function throwIfDeskActionRefused(outcome: string): void {
  if (isKeyOf(refusalCodes, outcome)) throw createDeskActionError(outcome);
}

export function isKeyOf<Table extends object>(table: Table, name: PropertyKey): name is keyof Table {
  return Object.hasOwn(table, name);
}
