import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type * as client from 'openid-client';
import { beginFlow, finishFlow, relyingParty, type RelyingRequest } from '../../server/support/relying-party.ts';
import { test as base } from './fixtures.ts';
import { startPortal } from './portal.ts';

export { expect } from '@playwright/test';

/** A public application with PKCE, registered at the portal; its only page says that one is there. */
export interface Application {
  readonly name: string;
  /** Where the portal sends the browser back to. */
  readonly callback: string;
  /** A new request, to be opened at `url`; `parameters` beside the usual ones or in their place. */
  begin(parameters?: Readonly<Record<string, string>>): Promise<RelyingRequest>;
  /** Opens a new request, which leads to the sign-in; answers the `process_state` by which the broker knows it. */
  processState(page: Page): Promise<string>;
  /** The ID Token's claims for the address at which a request came back. */
  claims(request: RelyingRequest, address: string): Promise<client.IDToken | undefined>;
}

/** Test with a server that knows an application, and institutions whose agents sign in. */
export const test = base.extend<object, { callback: string; application: Application }>({
  callback: [
    // eslint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
    async ({}, use) => {
      const page =
        '<!doctype html><html lang="es"><link rel="icon" href="data:,"><title>Trámites</title><h1>Trámites</h1>';
      const server = createServer((_request, response) =>
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
      );
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const address = server.address();
      await use(`http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}/callback`);
      server.close();
      server.closeAllConnections();
    },
    { scope: 'worker' },
  ],
  portal: [
    async ({ callback, settings }, use) => {
      const folder = await mkdtemp(join(tmpdir(), 'clients-'));
      const clients = join(folder, 'clients.json');
      await writeFile(
        clients,
        JSON.stringify([{ id: 'tramites', name: 'Trámites de prueba', redirectUris: [callback] }]),
      );
      const portal = await startPortal(undefined, {
        AGENT_DOMAINS: 'salud.gub.uy',
        CLIENTS_FILE: clients,
        ...settings,
      });
      await use(portal);
      await portal.stop();
      await rm(folder, { recursive: true, force: true });
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  application: [
    async ({ portal, callback }, use) => {
      const config = await relyingParty(portal.url, 'tramites', '');
      const begin: Application['begin'] = (parameters = {}) =>
        beginFlow(config, { redirect_uri: callback, ...parameters });
      await use({
        name: 'Trámites de prueba',
        callback,
        begin,
        async processState(page) {
          const login = await page.goto((await begin()).url.href);
          return new URL(login?.url() ?? '').searchParams.get('process_state') ?? '';
        },
        claims: async (request, address) => (await finishFlow(request, address)).claims(),
      });
    },
    { scope: 'worker' },
  ],
});
