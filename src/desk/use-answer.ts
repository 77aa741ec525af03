import { useCallback, useEffect, useMemo, useState } from 'react';
import type { OperationName } from '../contract/contract.ts';
import { usePortal } from '../portal/portal-context.ts';

/** The answer of a call that reads; null until it is there. */
export interface Asked<Result> {
  readonly answer: Result | null;
  /** It could not be asked for. */
  readonly failed: boolean;
  /** Asks again; what is shown stays meanwhile. */
  readonly again: () => void;
}

/** Asks a call with some parameters, and again whenever these change. */
export function useAnswer<Result>(name: OperationName, params: Readonly<Record<string, string>> = {}): Asked<Result> {
  const portal = usePortal();
  const key = JSON.stringify(params);
  const [turn, setTurn] = useState(0);
  const [found, setFound] = useState<{ key: string; answer: Result | null } | null>(null);
  useEffect(() => {
    let current = true;
    portal.engine.load(name, JSON.parse(key) as Record<string, string>).then(
      (answer) => current && setFound({ key, answer: answer as Result }), // the server serializes by the answer's schema
      () =>
        current &&
        setFound((before) => (before?.key === key && before.answer !== null ? before : { key, answer: null })),
    );
    return () => void (current = false);
  }, [portal, name, key, turn]);
  const again = useCallback(() => setTurn((before) => before + 1), []);
  const shown = found?.key === key ? found : null;
  return useMemo(
    () => ({ answer: shown?.answer ?? null, failed: shown !== null && shown.answer === null, again }),
    [shown, again],
  );
}
