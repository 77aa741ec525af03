import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createCitizenRow } from '../../support/citizen-data.ts';
import { openTestServer, type TestServer } from '../../support/test-server.ts';
import { startPostgres, type TestPostgres } from '../../support/postgres.ts';
import { openBrowser, steps, type Browser } from '../../support/sign-in-browser.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { startWireCounts, type WireCounts } from '../../support/wire-counts.ts';

const password = 'tres-tazas-de-mate';
const parallel = 40;

describe('database load of a sign-in', () => {
  let [postgres, network, wire, server]: [TestPostgres?, TcpProxy?, WireCounts?, TestServer?] = [];
  let browsers: readonly Browser[] = [];
  const on = () => {
    if (!server || !wire || !network) throw new Error('not open');
    return { server, wire, network };
  };
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    network = await startTcpProxy(postgres.url);
    wire = await startWireCounts(network.url);
    server = await openTestServer({ url: wire.url });
    await addCitizens(server, parallel);
    browsers = Array.from({ length: parallel }, (_, index) => openBrowser(on().server, `198.51.100.${index + 1}`));
  });
  afterAll(async () => {
    await server?.close();
    await wire?.close();
    await network?.close();
    await postgres?.stop();
  });
  beforeEach(() => network?.restore());

  const signIn = async (index: number) => {
    const browser = browsers[index];
    if (browser === undefined) throw new Error(`there is no browser ${index}`);
    delete browser.cookies.session; // simulates an expired session
    await browser.start(`RT${index}`);
    await browser.answer(steps.password, { password });
    expect(browser.cookies.session).toBeDefined();
  };
  const asked = async (work: () => Promise<void>) => {
    const { wire } = on();
    wire.reset();
    await work();
    return { statements: wire.statements(), roundTrips: wire.roundTrips() };
  };

  test('is 9 statements and 9 round trips, in a new and in a known browser', async () => {
    expect(await asked(() => signIn(0)), 'first sign-in').toEqual({ statements: 9, roundTrips: 9 });
    expect(await asked(() => signIn(0)), 'known browser').toEqual({ statements: 9, roundTrips: 9 });
    expect(await on().server.auditFaults()).toEqual([]);
  });

  test('permits 40 parallel sign-ins with a latency of 100 ms to the database', async () => {
    on().network.slow(50);
    await Promise.all(browsers.map((_, index) => signIn(index)));
    on().network.restore();
    const { store } = on().server.parts;
    const sessions = await store.db.selectFrom('broker_sessions').select('citizen_id').distinct().execute();
    expect(sessions).toHaveLength(parallel);
    expect(await on().server.auditFaults()).toEqual([]);
  });
});

/** Inserts citizens with an active account, a passport and the password. */
async function addCitizens({ parts: { store, passwords, clock } }: TestServer, count: number): Promise<void> {
  const now = clock.now();
  const password_hash = await passwords.hash(password);
  const ids = Array.from({ length: count }, (_, index) => `RT${index}`);
  await store.db
    .insertInto('citizens')
    .values(ids.map((id) => createCitizenRow({ id, number: id, active_at: now, created_at: now })))
    .execute();
  await store.db
    .insertInto('credentials')
    .values(ids.map((id) => ({ citizen_id: id, password_hash, changed_at: now })))
    .execute();
}
