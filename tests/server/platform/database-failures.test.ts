import { Kysely, sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrokerSession } from '../../../src/server/trust/sessions/broker-sessions.ts';
import { openDatabaseStore, type DatabaseStore } from '../../../src/server/platform/database/open-store.ts';
import { createPostgresDialect } from '../../../src/server/platform/database/postgres-dialect.ts';
import { DatabaseUnavailableError } from '../../../src/server/platform/database/database-unavailable-error.ts';
import { openBrowser } from '../support/browser.ts';
import { startLiveServer, type LiveServer } from '../support/live-server.ts';
import { beginFlow, callback, configureRelyingParty } from '../support/relying-party.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';
import { startTcpProxy, type TcpProxy } from '../support/tcp-proxy.ts';

const session: BrokerSession = {
  id: 's',
  generation: 'g',
  renewedBy: null,
  citizenId: 'c',
  document: 'uy-ci-1',
  nid: 1,
  role: 'citizen',
  idp: null,
  country: 'uy',
  permissions: {},
  restricted: false,
  factorDue: false,
  phishingResistant: false,
  agentHasPasskey: false,
  device: { userAgent: '', address: '' },
  seenAt: new Date(),
  expiresAt: new Date(Date.now() + 60_000),
};
const log = pino({ level: 'silent' });

describe('store with an unreliable database connection', { timeout: 60_000 }, () => {
  let postgres: TestPostgres;
  let proxy: TcpProxy;
  let store: DatabaseStore;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    proxy = await startTcpProxy(postgres.url);
    store = await openDatabaseStore({ url: proxy.url, pool: 4 }, log);
  }, 60_000);
  afterAll(async () => {
    await store.close();
    await proxy.close();
    await postgres.stop();
  });

  const countries = () => store.db.selectFrom('countries').select('code').execute();

  test.each([
    { note: 'a single statement', busy: () => sql`select pg_sleep(30)`.execute(store.db) },
    { note: 'a command', busy: () => store.transaction((tx) => sql`select pg_sleep(30)`.execute(tx)) },
  ])('fails only $note whose connection is lost, and serves the next query', async ({ busy }) => {
    const lost = expect(busy()).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect
      .poll(
        async () =>
          (
            await sql<{ ended: boolean }>`
      select pg_terminate_backend(pid) as ended from pg_stat_activity where query = 'select pg_sleep(30)' and state = 'active'`.execute(
              store.db,
            )
          ).rows.length,
      )
      .toBe(1);
    await lost;
    expect(await countries()).toEqual([]);
  });

  test('fails a command whose connection is lost between two statements, and commits nothing', async () => {
    const work = store.transaction(async (tx) => {
      const {
        rows: [own],
      } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
      await sql`select pg_terminate_backend(${own?.pid ?? 0})`.execute(store.db);
      await new Promise((wait) => setTimeout(wait, 100));
      await tx.insertInto('countries').values({ code: 'xx', name: 'Nowhere', position: 1 }).execute();
    });
    await expect(work).rejects.toBeInstanceOf(DatabaseUnavailableError);
    expect(await countries()).toEqual([]);
  });

  test('readiness fails within two seconds on a silent network, also for parallel checks, and queries work again later', async () => {
    await store.checkReady();
    proxy.silence();
    const unready = async () => store.checkReady().catch(({ cause }: Error) => String(cause));
    const answers = await Promise.all(Array.from({ length: 20 }, unready));
    expect(answers).toEqual(Array(20).fill('Error: no answer within 1500 ms'));
    proxy.restore();
    expect(await countries()).toEqual([]); // uses another one of the four connections, because the pending query still occupies the first one
  });

  test('abandons a statement without an answer and destroys its connection, but not the one of a slow statement', async () => {
    const other = await startTcpProxy(postgres.url);
    const db = new Kysely<unknown>({
      dialect: createPostgresDialect({ url: other.url, pool: 1, log, statementLimitMs: 200 }).dialect,
    });
    await sql`select 1`.execute(db);
    other.silence();
    await expect(sql`select 1`.execute(db)).rejects.toBeInstanceOf(DatabaseUnavailableError);
    await expect.poll(other.open).toBe(0);
    other.restore();
    expect((await sql`select 2 as two`.execute(db)).rows).toEqual([{ two: 2 }]);
    await expect(sql`select pg_sleep(1)`.execute(db), 'a slow statement').rejects.toBeInstanceOf(
      DatabaseUnavailableError,
    );
    expect(other.open(), 'the connection is kept after a response').toBe(1);
    await expect(sql`select nothing`.execute(db), 'an invalid statement').rejects.toMatchObject({ code: '42703' });
    await db.destroy();
    await other.close();
  });
});

test('authorization request gets a complete 503 page with Retry-After if the OIDC session cannot be stored', async () => {
  const postgres = await startPostgres({ tables: true });
  const server = await startLiveServer({ DATABASE_URL: postgres.url });
  const secret = await server.register({ id: 'app', name: 'Trámites', redirectUris: [callback] });
  const { url } = await beginFlow(await configureRelyingParty(server.origin, 'app', secret));
  const browser = openBrowser(server.origin);
  await browser.signIn();
  const { db } = server.parts.store;
  await sql`create function cut() returns trigger language plpgsql as 'begin perform pg_terminate_backend(pg_backend_pid()); return new; end'`.execute(
    db,
  );
  await sql`create trigger cut before insert or update on oidc_records for each row when (new.model = 'Session') execute function cut()`.execute(
    db,
  );
  const page = await browser.get(url.href, { accept: 'text/html' });
  expect([page.status, page.headers.get('retry-after'), page.headers.get('location')]).toEqual([503, '5', null]);
  expect(page.headers.getSetCookie()).toEqual([]);
  expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
  expect(await page.text()).toContain('<h1');
  await server.close();
  await postgres.stop();
});

describe('server without its database', { timeout: 60_000 }, () => {
  let postgres: TestPostgres;
  let proxy: TcpProxy;
  let server: LiveServer;
  beforeAll(async () => {
    postgres = await startPostgres({ tables: true });
    proxy = await startTcpProxy(postgres.url);
    server = await startLiveServer({ DATABASE_URL: proxy.url });
    await proxy.close(); // from here on, the database refuses connections
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await postgres.stop();
  });

  test.each([
    { note: 'a read', path: '/rest/paises/' },
    { note: 'a request with an access token', path: '/rest/sesiones/', token: true },
    {
      note: 'a sign-in',
      path: '/auth/login',
      body: { challenge: 'username', data_challenge: { username: '45123784', pais: 'uy', documento: 'ci' } },
    },
  ])('$note gets 503 with Retry-After and an error in Spanish', async ({ path, body, token }) => {
    const bearer = await server.parts.tokens.issueToken(session);
    const response = await fetch(server.origin + path, {
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(token && { authorization: `Bearer ${bearer}` }),
      },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({
      code: 'servicio_no_disponible',
      error: expect.stringContaining('no está disponible en este momento'),
    });
  });

  test('token and authorization endpoints get 503, with an OAuth error or a page', async () => {
    const token = await fetch(`${server.origin}/oidc/v1/token`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'authorization_code', code: 'x', client_id: 'x', client_secret: 'x' }),
    });
    expect([token.status, token.headers.get('retry-after'), await token.json()]).toMatchObject([
      503,
      '5',
      { error: 'temporarily_unavailable' },
    ]);
    const page = await fetch(
      `${server.origin}/oidc/v1/authorize?client_id=x&response_type=code&redirect_uri=https://x.example`,
      { headers: { accept: 'text/html' } },
    );
    expect([page.status, page.headers.get('content-type')]).toEqual([503, 'text/html; charset=utf-8']);
  });

  test('/readyz returns 503 and /healthz returns 200', async () => {
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
  });
});
