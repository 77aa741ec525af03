import type { OperationName } from '../../../contract/contract.ts';
import type { OperationRequest, Events, Reply } from '../../platform/base/operation-request.ts';
import type { Services } from './services.ts';

/** A handler as the router sees it: body and answer are proved by their schemas, not by the compiler. */
export type OpenHandler = (
  request: Omit<OperationRequest<'getCountries'>, 'body'> & { readonly body: unknown },
) => Promise<
  Omit<Reply<'getCountries'>, 'body' | 'events'> & { readonly body: unknown; readonly events?: Events<unknown> }
>;

/** The handler of an operation chosen at run time. */
export function openHandler(services: Services, name: OperationName): OpenHandler {
  // The union of all handlers takes no one request; the body's schema decides which one it is.
  const handlers = services.handlers as unknown as Readonly<Record<OperationName, OpenHandler>>;
  return handlers[name];
}
