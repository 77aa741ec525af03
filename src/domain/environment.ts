import { getEnv } from 'mobx-state-tree';
import type { Client } from '../contract/client.ts';
import type { StateStorage } from './stored-state.ts';

/** What the store is given: it reaches for nothing itself. */
export interface Environment {
  readonly client: Pick<Client, 'invoke'>;
  readonly clock: () => Date;
  readonly storage: StateStorage;
}

/** The environment of a node. */
export function environment(node: Parameters<typeof getEnv>[0]): Environment {
  return getEnv<Environment>(node);
}
