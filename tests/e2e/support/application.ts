import type { Page } from '@playwright/test';
import type * as client from 'openid-client';
import {
  beginFlow,
  finishFlow,
  configureRelyingParty,
  type RelyingRequest,
} from '../../server/support/relying-party.ts';
import { test as base } from './fixtures.ts';
import { sharedApplication } from './shared-portals.ts';

export { expect } from '@playwright/test';

/** A registered public client that uses PKCE. */
export interface Application {
  readonly name: string;
  readonly callback: string;
  /** Creates an authorization request, to be opened at `url`. `parameters` override the defaults. */
  begin(parameters?: Readonly<Record<string, string>>): Promise<RelyingRequest>;
  /** Starts an authorization request that requires a sign-in. Returns its `process_state`. */
  processState(page: Page): Promise<string>;
  /** Exchanges the code in the redirect to `address`. Returns the claims of the ID Token. */
  claims(request: RelyingRequest, address: string): Promise<client.IDToken | undefined>;
}

/** Test with a registered application, and with institutions whose agents can sign in. */
export const test = base.extend<{ application: Application }>({
  application: async ({ portal }, use) => {
    const config = await configureRelyingParty(portal.url, sharedApplication.id, '');
    const callback = sharedApplication.callback();
    const begin: Application['begin'] = (parameters = {}) =>
      beginFlow(config, { redirect_uri: callback, ...parameters });
    await use({
      name: sharedApplication.name,
      callback,
      begin,
      async processState(page) {
        const login = await page.goto((await begin()).url.href);
        return new URL(login?.url() ?? '').searchParams.get('process_state') ?? '';
      },
      claims: async (request, address) => (await finishFlow(request, address)).claims(),
    });
  },
});
