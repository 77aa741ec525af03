import { useCallback, useSyncExternalStore } from 'react';
import type { OperationParams } from '../core/operation-result.ts';
import { useEngine } from './engine-context.ts';
import type { OperationResponseState } from './widget.ts';

/** Returns the cached response of a GET operation, loaded once per page. Returns `null` if `params` is `null`. */
export function useOperationResponse(operation: string, params?: OperationParams): OperationResponseState;
export function useOperationResponse(
  operation: string,
  params: OperationParams | null | undefined,
): OperationResponseState | null;
export function useOperationResponse(
  operation: string,
  params?: OperationParams | null,
): OperationResponseState | null {
  const engine = useEngine();
  const subscribe = useCallback(
    (listener: () => void) => (params === null ? () => undefined : engine.subscribe(operation, listener, params)),
    [engine, operation, params],
  );
  const read = () => (params === null ? null : engine.source(operation, params));
  return useSyncExternalStore(subscribe, read, read);
}
