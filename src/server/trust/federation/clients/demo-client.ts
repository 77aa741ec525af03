import { scopeNames } from './scopes.ts';
import type { RegisteredClient } from './client-registration.ts';

export const demoOrigin = 'http://127.0.0.1:4000';

export function demoClientAt(origin: string): RegisteredClient {
  return {
    registration: {
      id: 'demo-rp',
      name: 'Demo',
      redirectUris: [`${origin}/callback`],
      scopes: [...scopeNames],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: `${origin}/backchannel-logout`,
      frontchannelLogoutUri: `${origin}/frontchannel-logout`,
      website: `${origin}/`,
    },
    secret: null,
  };
}

/** The sample relying party, registered on every server with sample data unless CLIENTS_FILE registers it itself, for instance at another origin. */
export const demoClient = demoClientAt(demoOrigin);
