import { getEnv } from 'mobx-state-tree';
import type { Client } from '../contract/client.ts';
import type { StateStorage } from './stored-state.ts';

export interface Environment {
  readonly client: Pick<Client, 'invoke'>;
  readonly clock: () => Date;
  readonly storage: StateStorage;
}

export function environment(node: Parameters<typeof getEnv>[0]): Environment {
  return getEnv<Environment>(node);
}
