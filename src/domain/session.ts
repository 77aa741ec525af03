import { types } from 'mobx-state-tree';
import { environment } from './environment.ts';
import { holderOf, readToken, type TokenClaims } from './stored-state.ts';

/** The bearer token of the citizen who is signed in. */
export const Session = types
  .model('Session', { token: types.maybeNull(types.string) })
  .views((self) => ({
    /** The claims while the token is valid; an expired token is no session. */
    get claims(): TokenClaims | null {
      return readToken(self.token, environment(self).clock());
    },
    /** The citizen of the token, whether it has expired or not. */
    get holder(): string | null {
      return holderOf(self.token);
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
