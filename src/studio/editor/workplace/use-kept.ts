import { useState } from 'react';

/** State that the browser stores, e.g. the width of a pane. `isValue` rejects stored values of an earlier version. */
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
