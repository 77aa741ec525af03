import { operationNames, contract, type Operation, type OperationName } from '../../../contract/contract.ts';
import type { Definitions } from '../../../engine/compiler/definitions.ts';
import type { Handlers } from '../../platform/base/operation-request.ts';
import type { Store } from '../../platform/database/open-store.ts';
import { dropJourneys } from '../../features/saved-flows/saved-flows.ts';
import type { OpenHandler } from './open-handler.ts';

interface Needs {
  readonly store: Store;
  readonly definitions: () => Definitions;
}

/** Ends what is saved of a journey with the operation at its end, whatever becomes of the browser then. */
export function endJourneys({ store, definitions }: Needs, handlers: Handlers): Handlers {
  // every handler is called with its own request: the body's schema has decided which one that is
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
