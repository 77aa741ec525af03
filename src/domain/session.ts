import { types } from 'mobx-state-tree';
import { environment } from './environment.ts';
import { readHolder, readToken, type TokenClaims } from './stored-state.ts';

export const Session = types
  .model('Session', { token: types.maybeNull(types.string) })
  .views((self) => ({
    /** Claims of the token, or `null` if it has expired. */
    get claims(): TokenClaims | null {
      return readToken(self.token, environment(self).clock());
    },
    /** Id of the citizen in the token, even if it has expired. */
    get holder(): string | null {
      return readHolder(self.token);
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
