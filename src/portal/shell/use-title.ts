import { useEffect } from 'react';
import { useEngine } from '../../engine/react/engine-context.ts';

export function useTitle(title: string): void {
  const text = useEngine().titled(title);
  useEffect(() => {
    document.title = text;
  }, [text]);
}
