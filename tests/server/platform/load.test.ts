import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { OperationError } from '../../../src/server/platform/base/errors.ts';
import { startEventLoopWatchdog } from '../../../src/server/platform/load/event-loop-watchdog.ts';
import { startFakeServer } from '../support/fake-server.ts';
import { openTestStore } from '../support/test-store.ts';

function blockFor(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** Blocks the event loop repeatedly until the returned function is called. */
function blockRepeatedly(): () => void {
  let on = true;
  const again = (): void => {
    blockFor(150);
    if (on) setTimeout(again);
  };
  again();
  return () => (on = false);
}

test('[OPER-08] server with a blocked event loop returns 503 with Retry-After to new requests, and finishes running ones', async () => {
  let finish = (): void => undefined;
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const { http, called } = await startFakeServer({
    env: { SHED_LAG_MS: '50' },
    handlers: { getCountries: async () => (await gate, { body: [] }) },
  });
  const running = http.inject('/rest/paises/');
  await vi.waitFor(() => expect(called).toEqual(['getCountries']));
  const rest = blockRepeatedly();
  await vi.waitFor(async () => expect((await http.inject('/rest/faqs/')).statusCode).toBe(503), { timeout: 10_000 });
  const before = [...called]; // handlers that were called before the server detected the overload
  const operation = await http.inject({ url: '/rest/paises/', headers: { accept: 'text/html' } });
  expect([operation.statusCode, operation.headers['retry-after'], operation.json().code]).toEqual([
    503,
    '5',
    'servidor_ocupado',
  ]);
  const page = await http.inject({ url: '/registro', headers: { accept: 'text/html' } });
  expect([page.statusCode, page.headers['retry-after'], page.headers['content-type']]).toEqual([
    503,
    '5',
    'text/html; charset=utf-8',
  ]);
  expect(page.body).toContain('El servicio está muy ocupado');
  expect(page.headers['content-security-policy']).toContain('nonce-');
  expect((await http.inject('/definitions/registro.es.abc.js')).statusCode, 'file of a loaded page').toBe(200);
  const health = await http.inject('/healthz');
  expect(health.json()).toMatchObject({ status: 'ok' });
  expect(health.json().lag_ms).toBeGreaterThan(50);
  finish();
  expect((await running).statusCode).toBe(200);
  expect(called).toEqual(before);
  rest();
  await vi.waitFor(async () => expect((await http.inject('/rest/paises/')).statusCode).toBe(200), { timeout: 10_000 });
  await http.close();
});

test('[OPER-08] server returns 503 to operations during a long wait for the database, and serves pages', async () => {
  let waitMs = 400;
  const { http, called } = await startFakeServer({ env: { SHED_LAG_MS: '10000' }, databaseWaitMs: () => waitMs });
  expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
  waitMs = 600;
  const operation = await http.inject('/rest/paises/');
  expect([operation.statusCode, operation.headers['retry-after'], operation.json().code]).toEqual([
    503,
    '5',
    'servidor_ocupado',
  ]);
  expect(called).toEqual(['getCountries']);
  const authorization = await http.inject({ url: '/oidc/v1/authorize', headers: { accept: 'text/html' } });
  expect([authorization.statusCode, authorization.headers['retry-after']]).toEqual([503, '5']);
  expect((await http.inject({ url: '/registro', headers: { accept: 'text/html' } })).statusCode).toBe(200);
  expect((await http.inject('/definitions/manifest.json')).statusCode).toBe(200);
  expect((await http.inject('/healthz')).statusCode).toBe(200);
  await http.close();
});

test('[OPER-08] server returns 503 to new sign-ins during a long wait for password hashing, and continues started ones', async () => {
  let waits = { databaseMs: 0, passwordMs: 400 };
  const { http, called, log } = await startFakeServer({
    env: { SHED_LAG_MS: '10000' },
    handlers: { answerChallenge: () => Promise.reject(new OperationError(400, 'credenciales')) },
    databaseWaitMs: () => waits.databaseMs,
    passwordWaitMs: () => waits.passwordMs,
  });
  const answer = async (cookie?: string) => {
    const payload = { challenge: 'username', data_challenge: {}, extra: null, token: null };
    const headers = cookie === undefined ? {} : { cookie };
    return (await http.inject({ method: 'POST', url: '/auth/login', payload, headers })).statusCode;
  };
  const begun = 'other=1; portal-challenge=secret';
  expect([await answer(), await answer(begun)]).toEqual([400, 400]);
  waits = { databaseMs: 0, passwordMs: 600 };
  expect([await answer(), await answer('portal-session=secret'), await answer(begun)]).toEqual([503, 503, 400]);
  expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
  expect(called.filter((name) => name === 'answerChallenge')).toHaveLength(3);
  expect(log(), 'shedding is not logged as an error').not.toContain('operation failed');
  waits = { databaseMs: 900, passwordMs: 0 };
  expect([await answer(), await answer(begun)]).toEqual([503, 400]);
  waits = { databaseMs: 1_100, passwordMs: 0 };
  expect([await answer(), await answer(begun)]).toEqual([503, 503]);
  await http.close();
});

test('[OPER-08] request that waits for a database connection succeeds, while new requests get 503 until the wait ends', async () => {
  const { store, close } = await openTestStore('pglite');
  const read = () => store.db.selectFrom('countries').select('code').execute();
  const { http } = await startFakeServer({
    env: { SHED_LAG_MS: '10000' },
    handlers: { getCountries: async () => (await read(), { body: [] }) },
    databaseWaitMs: () => store.estimateWaitMs(),
  });
  let release = (): void => undefined;
  const gate = new Promise<void>((resolve) => (release = resolve));
  const holding = store.db.connection().execute(() => gate);
  const waiting = http.inject('/rest/paises/');
  await vi.waitFor(() => expect(store.estimateWaitMs()).toBeGreaterThan(500), { timeout: 10_000 });
  expect((await http.inject('/rest/paises/')).statusCode).toBe(503);
  release();
  await holding;
  expect((await waiting).statusCode).toBe(200);
  expect(store.estimateWaitMs()).toBe(0);
  expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
  await http.close();
  await close();
});

test('[OPER-08] server with SHED_LAG_MS=0 sheds no load while its event loop is blocked and its database is slow', async () => {
  const { http } = await startFakeServer({ databaseWaitMs: () => 10_000 });
  const rest = blockRepeatedly();
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
  rest();
  await http.close();
});

test('[OPER-08] watchdog thread logs the request that blocks the event loop, without its query', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'watchdog-'));
  const file = join(folder, 'log');
  const fd = openSync(file, 'w');
  const watchdog = startEventLoopWatchdog({ fd, blockedMs: 200 });
  let duringHold = '';
  const { http } = await startFakeServer({
    watchdog,
    handlers: {
      getCountries: async () => {
        const end = performance.now() + 20_000;
        while (performance.now() < end && !duringHold.includes('GET /rest/paises/'))
          duringHold = readFileSync(file, 'utf8');
        return { body: [] };
      },
    },
  });
  const base = await http.listen({ port: 0 });
  await fetch(`${base}/rest/faqs/`);
  await fetch(`${base}/rest/paises/?uuid=secreto`);
  await vi.waitFor(() => expect(readFileSync(file, 'utf8')).toContain('responsive again'));
  await http.close();
  await watchdog.stop();
  closeSync(fd);
  const held = duringHold
    .trim()
    .split('\n')
    .map((line): unknown => JSON.parse(line))
    .at(-1);
  expect(held).toMatchObject({
    level: 40,
    msg: 'the event loop is blocked',
    inFlight: [{ name: 'GET /rest/paises/' }],
  });
  expect(readFileSync(file, 'utf8')).not.toContain('secreto');
  rmSync(folder, { recursive: true });
});
