import { findParticipant } from '../saml/participants.ts';
import {
  hearTestLogout,
  readTestResponse,
  testLogout,
  testProviderId,
  testRequest,
  type TestDependencies,
  type ReceivedAttributes,
} from '../saml/test-provider.ts';
import type { Store } from '../../../platform/database/open-store.ts';
import { sessionOfCookie } from '../../sessions/sessions.ts';

export interface TestPages {
  request(): string;
  /** Returns `null` if the session is not signed in to the test service provider. */
  logout(secret: string | undefined): Promise<string | null>;
  read(response: string | undefined): ReceivedAttributes;
  hear(query: string): ReturnType<typeof hearTestLogout>;
}

export function openTestPages(dependencies: TestDependencies & { readonly store: Store }): TestPages {
  const { store, clock } = dependencies;
  return {
    request: () => testRequest(dependencies),
    async logout(secret) {
      const session = await sessionOfCookie(store.db, secret, clock.now());
      const participant = session && (await findParticipant(store, session.id, testProviderId));
      return participant && testLogout(dependencies, participant);
    },
    read: (response) => readTestResponse(dependencies, response),
    hear: (query) => hearTestLogout(dependencies, query),
  };
}
