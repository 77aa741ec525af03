import { useCallback, useSyncExternalStore } from 'react';
import { useEngine } from './engine-context.ts';
import type { Source } from './widget.ts';

/** The answer of a GET call of the contract without parameters: loaded once per page and shared by all fields. */
export function useSource(call: string): Source {
  const engine = useEngine();
  const subscribe = useCallback((listener: () => void) => engine.subscribe(call, listener), [engine, call]);
  return useSyncExternalStore(subscribe, () => engine.source(call));
}
