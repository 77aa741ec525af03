import { useEffect, useState, type Dispatch, type SetStateAction } from 'react';
import { nothingTyped, type TypedHistory } from './typed.ts';

const key = 'estudio';

/** What was typed in this tab; it outlives a reload of the page. */
export function useTyped(): readonly [TypedHistory, Dispatch<SetStateAction<TypedHistory>>] {
  const [history, setHistory] = useState(kept);
  useEffect(() => {
    const keep = (): void => keepTyped(history);
    addEventListener('pagehide', keep);
    return () => removeEventListener('pagehide', keep);
  }, [history]);
  return [history, setHistory];
}

function kept(): TypedHistory {
  const text = sessionStorage.getItem(key);
  return text === null ? nothingTyped : (JSON.parse(text) as TypedHistory); // a page of the studio wrote it
}

function keepTyped(history: TypedHistory): void {
  try {
    sessionStorage.setItem(key, JSON.stringify(history));
  } catch {
    // A browser keeps a few megabytes: what was typed goes before its steps.
    sessionStorage.setItem(key, JSON.stringify({ ...history, past: [], future: [] }));
  }
}
