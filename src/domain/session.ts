import { types, getEnv } from 'mobx-state-tree';
import { readTokenCitizenId, readTokenClaims, type TokenClaims, type StateStorage } from './stored-state.ts';
import type { OperationClient } from '../contract/client.ts';

export const Session = types
  .model('Session', { token: types.maybeNull(types.string) })
  .views((self) => ({
    /** Claims of the token. `null` if there is no token or if it has expired. */
    get claims(): TokenClaims | null {
      return readTokenClaims(self.token, getPortalStoreDependencies(self).clock());
    },
    /** Id of the citizen in the token, even if the token has expired. */
    get holder(): string | null {
      return readTokenCitizenId(self.token);
    },
    get authenticated(): boolean {
      return this.claims !== null;
    },
  }))
  .actions((self) => ({
    start(token: string): void {
      self.token = token;
    },
    end(): void {
      self.token = null;
    },
  }));

export interface PortalStoreDependencies {
  readonly client: Pick<OperationClient, 'invoke'>;
  readonly clock: () => Date;
  readonly storage: StateStorage;
}

export function getPortalStoreDependencies(node: Parameters<typeof getEnv>[0]): PortalStoreDependencies {
  return getEnv<PortalStoreDependencies>(node);
}
