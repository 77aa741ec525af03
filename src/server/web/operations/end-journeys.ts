import { operationNames, contract, type Operation, type OperationName } from '../../../contract/contract.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import { dropJourneys } from '../../features/saved-flows/saved-flows.ts';
import type { OpenHandler } from './open-handler.ts';
import type { Parts } from '../../features/parts.ts';

/** Deletes the saved journeys that an operation completes, so that the browser does not have to. */
export function endJourneys(
  { store, definitions }: Pick<Parts, 'store' | 'definitions'>,
  handlers: Handlers,
): Handlers {
  // every handler gets only its own requests: the body's schema has ensured it
  const open = handlers as unknown as Readonly<Record<OperationName, OpenHandler>>;
  const ending =
    (name: OperationName): OpenHandler =>
    async (request) => {
      const reply = await open[name](request);
      const ended = definitions().savedFlowsEndedBy(name);
      if (request.caller !== null && ended.length > 0) await dropJourneys(store.db, request.caller.citizenId, ended);
      return reply;
    };
  return Object.fromEntries(
    operationNames.map((name) => [name, (contract[name] as Operation).screen ? ending(name) : handlers[name]]),
  ) as unknown as Handlers;
}
