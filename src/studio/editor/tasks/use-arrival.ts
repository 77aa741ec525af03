import { useEffect, useRef, useState } from 'react';
import type { StudioSet } from '../../studio-data.ts';

/** A task is over; what it added, by its name, absent where it was cancelled. */
export type Done = (added?: string) => void;

/**
 * Brings what was added into view, by its id, as soon as it is drawn: what holds it may be longer than its pane. The focus goes to its first
 * control, else to it. `set`: what is drawn, which is read anew behind each writing.
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
