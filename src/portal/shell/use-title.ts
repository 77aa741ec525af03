import { useEffect } from 'react';
import { useEngine } from '../../engine/react/engine-context.ts';

/** Gives the page of a block its title. */
export function useTitle(title: string): void {
  const text = useEngine().titled(title);
  useEffect(() => {
    document.title = text;
  }, [text]);
}
