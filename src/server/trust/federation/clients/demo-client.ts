import type { RegisteredClient } from './client-registration.ts';

/** Where the sample relying party listens. */
export const demoOrigin = 'http://127.0.0.1:4000';

/** The sample relying party at an origin. */
export function demoClientAt(origin: string): RegisteredClient {
  return {
    registration: {
      id: 'demo-rp',
      name: 'Demo',
      redirectUris: [`${origin}/callback`],
      postLogoutRedirectUris: [`${origin}/`],
      backchannelLogoutUri: `${origin}/backchannel-logout`,
      frontchannelLogoutUri: `${origin}/frontchannel-logout`,
      website: `${origin}/`,
    },
    secret: null,
  };
}

/** The sample relying party, which every server with sample data knows, unless CLIENTS_FILE has it at another origin. */
export const demoClient = demoClientAt(demoOrigin);
