import { useCallback, useSyncExternalStore } from 'react';
import type { OperationParams } from '../core/operation.ts';
import { useEngine } from './engine-context.ts';
import type { SourceState } from './widget.ts';

/** Returns the cached response of a GET operation, loaded once per page. Returns `null` if `params` is `null`. */
export function useSource(operation: string, params?: OperationParams): SourceState;
export function useSource(operation: string, params: OperationParams | null | undefined): SourceState | null;
export function useSource(operation: string, params?: OperationParams | null): SourceState | null {
  const engine = useEngine();
  const subscribe = useCallback(
    (listener: () => void) => (params === null ? () => undefined : engine.subscribe(operation, listener, params)),
    [engine, operation, params],
  );
  const read = () => (params === null ? null : engine.source(operation, params));
  return useSyncExternalStore(subscribe, read, read);
}
