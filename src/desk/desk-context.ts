import { createContext, useContext } from 'react';
import type { Answer } from '../contract/contract.ts';

const Context = createContext<Answer<'getDesk'> | null>(null);

export const DeskProvider = Context.Provider;

/** Who sits at the desk. */
export function useDesk(): Answer<'getDesk'> {
  const desk = useContext(Context);
  if (desk === null) throw new Error('There is no desk around this block.');
  return desk;
}
