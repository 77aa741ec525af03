import { useState } from 'react';

/** A state that this browser keeps under a name, e.g. the width of a pane; `isValue` refuses what an older page may have kept. */
export function useKept<Value>(
  name: string,
  initial: Value,
  isValue: (kept: unknown) => kept is Value,
): readonly [Value, (next: Value) => void] {
  const key = `estudio-${name}`;
  const [value, setValue] = useState(() => {
    const text = localStorage.getItem(key);
    const kept: unknown = text === null ? null : JSON.parse(text); // written below
    return isValue(kept) ? kept : initial;
  });
  return [
    value,
    (next) => {
      localStorage.setItem(key, JSON.stringify(next));
      setValue(next);
    },
  ];
}
