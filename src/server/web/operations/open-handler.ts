import type { OperationName } from '../../../contract/contract.ts';
import type { OperationRequest, Events, Reply } from '../../platform/base/operation-request.ts';
import type { Services } from './services.ts';

/** A handler with an untyped body and answer. Their schemas validate them at run time. */
export type OpenHandler = (
  request: Omit<OperationRequest<'getCountries'>, 'body'> & { readonly body: unknown },
) => Promise<
  Omit<Reply<'getCountries'>, 'body' | 'events'> & { readonly body: unknown; readonly events?: Events<unknown> }
>;

export function openHandler(services: Services, name: OperationName): OpenHandler {
  // TypeScript cannot call a union of all handlers. The body's schema ensures that a handler gets only its own requests.
  const handlers = services.handlers as unknown as Readonly<Record<OperationName, OpenHandler>>;
  return handlers[name];
}
