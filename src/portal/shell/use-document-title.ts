import { useEffect } from 'react';
import { useEngine } from '../../engine/react/engine-context.ts';

export function useDocumentTitle(title: string): void {
  const text = useEngine().titled(title);
  useEffect(() => {
    document.title = text;
  }, [text]);
}
