import { useCallback, useSyncExternalStore } from 'react';
import type { OperationParams } from '../core/operation-result.ts';
import { useEngine } from './engine-context.ts';
import type { OperationResponseState } from './widget.ts';

/** Returns the cached response of a GET operation, loaded once per page. Returns `null` if `params` is `null`. */
export function useOperationResponse<Params extends OperationParams | null = OperationParams>(
  operation: string,
  params?: Params,
): OperationResponseState | Extract<Params, null> {
  const engine = useEngine();
  const subscribe = useCallback(
    (listener: () => void) => (params === null ? () => undefined : engine.subscribe(operation, listener, params)),
    [engine, operation, params],
  );
  // cast: TypeScript does not narrow a type parameter
  const read = () => (params === null ? (params as Extract<Params, null>) : engine.source(operation, params));
  return useSyncExternalStore(subscribe, read, read);
}
