import { afterAll, beforeAll, expect, test } from 'vitest';
import * as client from 'openid-client';
import { openBrowser } from './support/browser.ts';
import { startLiveServer, type LiveServer } from './support/live-server.ts';
import { startPostgres } from './support/postgres.ts';
import { beginFlow, callback, decide, finishFlow, follow, relyingParty } from './support/relying-party.ts';

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let server: LiveServer;
beforeAll(async () => {
  postgres = await startPostgres();
  server = await startLiveServer({ DATABASE_URL: postgres.url });
}, 60_000);
afterAll(async () => {
  await server.close();
  await postgres.stop();
});

test('[SES-08] sign-in, consent, tokens, parallel uses of a code, and logout on PostgreSQL', async () => {
  const config = await relyingParty(
    server.origin,
    'app',
    await server.register({ id: 'app', name: 'App', redirectUris: [callback] }),
  );
  const browser = openBrowser(server.origin);
  await browser.signIn();
  const first = await beginFlow(config);
  const tokens = await finishFlow(
    first,
    await decide(browser, await follow(browser, first.url.href, server.origin), server.origin),
  );
  expect((await client.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '')).uid).toBe(
    'uy-ci-45123784',
  );
  const second = await beginFlow(config);
  const back = await follow(browser, second.url.href, server.origin);
  const outcomes = await Promise.allSettled(Array.from({ length: 20 }, () => finishFlow(second, back)));
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(1);
  await browser.post('/auth/logout', {});
  await expect(client.fetchUserInfo(config, tokens.access_token, client.skipSubjectCheck)).rejects.toThrow();
});
