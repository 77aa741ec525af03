import type { Page } from '@playwright/test';
import type * as client from 'openid-client';
import { beginFlow, finishFlow, relyingParty, type RelyingRequest } from '../../server/support/relying-party.ts';
import { test as base } from './fixtures.ts';
import { sharedApplication } from './shared-portals.ts';

export { expect } from '@playwright/test';

/** A public application with PKCE, registered at the portal. */
export interface Application {
  readonly name: string;
  /** Where the portal sends the browser back to. */
  readonly callback: string;
  /** A new request, to be opened at `url`; `parameters` beside the usual ones or in their place. */
  begin(parameters?: Readonly<Record<string, string>>): Promise<RelyingRequest>;
  /** Starts an authorization request that leads to the sign-in. Returns its `process_state`. */
  processState(page: Page): Promise<string>;
  /** The ID Token's claims for the address at which a request came back. */
  claims(request: RelyingRequest, address: string): Promise<client.IDToken | undefined>;
}

/** Test with a portal that has a registered application, and institutions whose agents sign in. */
export const test = base.extend<{ application: Application }>({
  application: async ({ portal }, use) => {
    const config = await relyingParty(portal.url, sharedApplication.id, '');
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
