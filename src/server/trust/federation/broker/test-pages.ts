import { participantOf } from '../saml/participants.ts';
import {
  hearTestLogout,
  readTestResponse,
  testLogout,
  testProviderId,
  testRequest,
  type TestNeeds,
  type Told,
} from '../saml/test-provider.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';

/** What the HTTP layer serves of the test application. */
export interface TestPages {
  /** Address of a new request for a sign-in. */
  request(): string;
  /** Address of a new request to end the session of a cookie; null: it is not signed in to the test application. */
  logout(secret: string | undefined): Promise<string | null>;
  /** See `readTestResponse`. */
  read(response: string | undefined): Told;
  /** See `hearTestLogout`. */
  hear(query: string): ReturnType<typeof hearTestLogout>;
}

/** The test application's pages. */
export function openTestPages(needs: TestNeeds & { readonly store: Store }): TestPages {
  const { store, clock } = needs;
  return {
    request: () => testRequest(needs),
    async logout(secret) {
      const session = secret === undefined ? null : await sessionOfCookie(store.db, secret, clock.now());
      const participant = session && (await participantOf(store, session.id, testProviderId));
      return participant && testLogout(needs, participant);
    },
    read: (response) => readTestResponse(needs, response),
    hear: (query) => hearTestLogout(needs, query),
  };
}
