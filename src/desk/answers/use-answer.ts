import { useCallback, useEffect, useMemo, useState } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import type { OperationFailure, OperationResult } from '../../engine/core/operation.ts';
import { usePortal } from '../../portal/portal-context.ts';

export interface Asked<Result> {
  /** `null` until it has loaded. */
  readonly answer: Result | null;
  /** `null` while it is loading. */
  readonly failure: OperationFailure | null;
  /** Reloads the answer. The previous one remains until then. */
  readonly again: () => void;
}

export function useAnswer<Result>(name: OperationName, params: Readonly<Record<string, string>> = {}): Asked<Result> {
  const portal = usePortal();
  const key = JSON.stringify(params);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<{ key: string; answer: OperationResult } | null>(null);
  useEffect(() => {
    let current = true;
    void portal.flows.invoke(name, { params: JSON.parse(key) as Record<string, string> }).then((answer) => {
      if (current)
        setFound((before) => (!answer.ok && before?.key === key && before.answer.ok ? before : { key, answer }));
    });
    return () => void (current = false);
  }, [portal, name, key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const shown = found?.key === key ? found.answer : null;
  return useMemo(
    () => ({
      answer: shown?.ok ? (shown.result as Result) : null, // serialized by the server with the response schema
      failure: shown?.ok === false ? shown.failure : null,
      again,
    }),
    [shown, again],
  );
}
