import { useCallback, useEffect, useMemo, useState } from 'react';
import type { OperationName } from '../../contract/contract.ts';
import type { OperationFailure, OperationResult } from '../../engine/core/operation.ts';
import { usePortal } from '../../portal/portal-context.ts';

/** The answer of an operation that reads. */
export interface Asked<Result> {
  /** Null until it is there. */
  readonly answer: Result | null;
  /** Why there is none; null while it is waited for. */
  readonly failure: OperationFailure | null;
  /** Asks again; what is shown stays meanwhile. */
  readonly again: () => void;
}

/** Invokes an operation with some parameters, and again whenever these change. */
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
      answer: shown?.ok ? (shown.result as Result) : null, // the server serializes by the answer's schema
      failure: shown?.ok === false ? shown.failure : null,
      again,
    }),
    [shown, again],
  );
}
