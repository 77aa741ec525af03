import { useEffect } from 'react';

/** Gives the page of a block its title. */
export function useTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
