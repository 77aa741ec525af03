import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createSampleSignerCertificate } from '../../../../src/demo/sample-card-authority.ts';
import { createSampleCredentialIssuer } from '../../../../src/demo/sample-wallet.ts';
import { purgeExpiredData } from '../../../../src/server/app/purge-expired-data.ts';
import { openBrowser } from '../../support/browser.ts';
import { createBrazilEntry, writeProvidersFile, startIssuer, type TestIssuer } from '../../support/test-issuer.ts';
import { findFreePort } from '../../support/free-port.ts';
import { startLiveServer, type LiveServer } from '../../support/live-server.ts';
import {
  beginFlow,
  callback,
  answerConsent,
  followRedirects,
  configureRelyingParty,
} from '../../support/relying-party.ts';
import { registerProvider, requestSamlSignIn } from '../../support/service-provider.ts';

type Table = 'oidc_records' | 'saml_requests' | 'provider_sign_ins' | 'wallet_requests' | 'challenges';

const hourMs = 60 * 60 * 1000;

let folder: string;
let server: LiveServer;
let issuer: TestIssuer;
/** Functions that start a sign-in in a new browser and do not complete it. */
const ways: Record<string, () => Promise<Response>> = {};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'half-made-'));
  issuer = await startIssuer(await findFreePort());
  const files = { WALLET_ISSUERS: join(folder, 'issuers.json'), WALLET_SIGNER: join(folder, 'signer.pem') };
  const { entry } = await createSampleCredentialIssuer({
    issuer: 'https://emisor.example',
    level: 3,
    types: ['urn:eudi:pid:1'],
  });
  await writeFile(files.WALLET_ISSUERS, JSON.stringify([entry]));
  await writeFile(files.WALLET_SIGNER, await createSampleSignerCertificate());
  server = await startLiveServer({
    ...files,
    NODE_ENV: 'test',
    IDPS_FILE: writeProvidersFile([createBrazilEntry(issuer.origin)]),
  });
  const secret = await server.register({ id: 'app', name: 'Trámites', redirectUris: [callback] });
  const config = await configureRelyingParty(server.origin, 'app', secret);
  const provider = await registerProvider(server);
  const fresh = (address: string): Promise<Response> => openBrowser(server.origin).get(address);
  const post = (challenge: string, data_challenge: object): Promise<Response> =>
    openBrowser(server.origin).post('/auth/login', { challenge, data_challenge, extra: null, token: null });
  Object.assign(ways, {
    oidc: async () => fresh((await beginFlow(config)).url.href),
    saml: async () => fresh(await provider.saml.getAuthorizeUrlAsync('', undefined, {})),
    provider: () => fresh('/auth/idp-login?idp=br'),
    wallet: () => post('urn:iduruguay:am:wallet', {}),
    document: () => post('username', { username: '45123784', pais_emisor: null, tipo_documento: null }),
  });
});
afterAll(async () => {
  await server.close();
  await issuer.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => server.parts.store.db.deleteFrom('throttle').execute());

const rowsOf = async (table: Table): Promise<number> =>
  (await server.parts.store.db.selectFrom(table).select('expires_at').execute()).length;

/** Number of real requests before the limit. Earlier requests are simulated with `raiseCounters`. */
const near = 60;

/** Simulates earlier attempts by increasing the counters. Returns the number of counters. */
async function raiseCounters(tries: number): Promise<number> {
  const { numUpdatedRows } = await server.parts.store.db
    .updateTable('throttle')
    .set((row) => ({ tries: row('tries', '+', tries) }))
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

/** Starts many sign-ins, some concurrently. Returns the number of accepted ones. */
async function beginMany(way: string, count: number): Promise<number> {
  let [begun, wentOn] = [0, 0];
  const work = async (): Promise<void> => {
    while (begun < count) {
      begun += 1;
      const answer = (await ways[way]?.()) ?? Response.error();
      await answer.arrayBuffer();
      const refused = answer.status === 429 || answer.headers.get('location')?.includes('temporarily_unavailable');
      expect(answer.status, 'no server error').toBeLessThan(500);
      if (refused !== true) wentOn += 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return wentOn;
}

describe('[FED-08] abandoned sign-ins', () => {
  test.each<[way: string, table: Table, most: number, rowsEach: number]>([
    ['oidc', 'oidc_records', 1_000, 1],
    ['saml', 'saml_requests', 1_000, 1],
    ['provider', 'provider_sign_ins', 300, 1],
    ['wallet', 'wallet_requests', 300, 2],
    ['document', 'challenges', 300, 1],
  ])(
    'started with %s add a limited number of rows to %s per address, and are purged',
    async (way, table, most, rowsEach) => {
      const before = await rowsOf(table);
      const first = await beginMany(way, 1);
      const counted = await raiseCounters(most - near);
      expect(counted, 'one counter per network address').toBe(1);
      const wentOn = first + (await beginMany(way, near + 100));
      const kept = (await rowsOf(table)) - before;
      expect(kept).toBe(wentOn * rowsEach);
      expect(wentOn).toBeGreaterThanOrEqual(near - 1);
      expect(wentOn, 'accepted requests after growing delays').toBeLessThan(near + 10);
      await purgeExpiredData(server.parts, new Date(Date.now() + hourMs));
      expect(await rowsOf(table)).toBe(0);
    },
    120_000,
  );

  test('are not counted once they continue', async () => {
    const counted = async (): Promise<readonly string[]> =>
      (await server.parts.store.db.selectFrom('throttle').select('key').where('tries', '>', 0).execute()).map(
        ({ key }) => key,
      );
    const browser = openBrowser(server.origin);
    const secret = await server.register({ id: 'otra', name: 'Otra', redirectUris: [callback] });
    const flow = await beginFlow(await configureRelyingParty(server.origin, 'otra', secret));
    const login = await followRedirects(browser, flow.url.href, server.origin);
    const begun = await counted();
    expect(begun).toHaveLength(1);
    const processState = new URL(login).searchParams.get('process_state');
    await browser.signIn({ processState });
    const consent = await followRedirects(browser, `/oidc/v1/authorize/${processState}`, server.origin);
    expect(await counted(), 'counters after a correct password').toHaveLength(2);
    await answerConsent(browser, consent, server.origin);
    const provider = await registerProvider(server);
    expect(await requestSamlSignIn(provider, browser, server.origin)).toMatchObject({ action: provider.consumer });
    const left = await counted();
    expect(left, 'counters after a correct password and the consent').toHaveLength(2);
    expect(left).not.toContain(begun[0]);
  });
});
