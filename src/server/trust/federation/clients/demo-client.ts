import type { RegisteredClient } from './client-registration.ts';

/** Where the sample relying party listens. */
export const demoOrigin = 'http://127.0.0.1:4000';

/** The sample relying party, which every server with sample data knows. */
export const demoClient: RegisteredClient = {
  registration: {
    id: 'demo-rp',
    name: 'Demo',
    redirectUris: [`${demoOrigin}/callback`],
    postLogoutRedirectUris: [`${demoOrigin}/`],
    backchannelLogoutUri: `${demoOrigin}/backchannel-logout`,
    frontchannelLogoutUri: `${demoOrigin}/frontchannel-logout`,
    website: `${demoOrigin}/`,
  },
  secret: null,
};
