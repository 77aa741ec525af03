import { useCallback, useSyncExternalStore } from 'react';
import { useEngine } from './engine-context.ts';
import type { Source } from './widget.ts';

/** Returns the response of a GET operation without parameters, loaded once per page and shared by all fields. */
export function useSource(operation: string): Source {
  const engine = useEngine();
  const subscribe = useCallback((listener: () => void) => engine.subscribe(operation, listener), [engine, operation]);
  const read = () => engine.source(operation);
  return useSyncExternalStore(subscribe, read, read);
}
