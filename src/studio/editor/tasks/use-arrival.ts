import { useEffect, useRef, useState } from 'react';
import type { StudioSet } from '../../studio-data.ts';

/** Called at the end of a task, with the name of the added element unless it was cancelled. */
export type Done = (added?: string) => void;

/**
 * Scrolls a new element into view once it is rendered, and moves the focus to its first control or to itself. `set`: the definitions, which reload
 * after each write.
 */
export function useArrival(set: StudioSet): (id: string) => void {
  const awaited = useRef<string | null>(null);
  const [asked, setAsked] = useState(0);
  useEffect(() => {
    const part = awaited.current === null ? null : document.getElementById(awaited.current);
    if (!part) return;
    awaited.current = null;
    part.scrollIntoView({ block: 'center' });
    (part.querySelector<HTMLElement>('button, a') ?? part).focus({ preventScroll: true });
  }, [asked, set]);
  return (id) => {
    awaited.current = id;
    setAsked((before) => before + 1);
  };
}
