import { describe, expect, test } from 'vitest';
import { resolveActor, ownOrigin, type Origin } from '../../../src/server/platform/base/origin.ts';
import { fakeServer } from '../support/http-fakes.ts';

const json = { 'content-type': 'application/json' };

describe('answers', () => {
  test('[ENT-01] hold declared fields only', async () => {
    const { http } = await fakeServer({
      handlers: { obtainToken: async () => ({ body: { token: 't', password_hash: 'h' }, status: 201 }) },
    });
    const response = await http.inject('/jwt/obtain/');
    expect([response.statusCode, response.json()]).toEqual([201, { token: 't' }]);
  });

  test('work behind an answer starts once it was sent, and the end of the server waits for it', async () => {
    const order: string[] = [];
    const after = async (): Promise<void> => {
      order.push('after');
      await new Promise((resolve) => setTimeout(resolve, 20));
      order.push('done');
    };
    const { http } = await fakeServer({ handlers: { getCountries: async () => ({ body: [], after }) } });
    const base = await http.listen({ port: 0 });
    await (await fetch(`${base}/rest/paises/`)).json();
    order.push('answered');
    await http.close();
    expect(order.at(-1)).toBe('done');
    expect(order).toContain('after');
  });

  test('a failure behind an answer is logged and harms nobody', async () => {
    const { http, log } = await fakeServer({
      handlers: {
        getCountries: async () => ({
          body: [],
          after: async () => {
            throw new Error('mail down');
          },
        }),
      },
    });
    expect((await http.inject('/rest/paises/')).statusCode).toBe(200);
    await http.close();
    expect(log()).toContain('mail down');
  });

  test('a handler gets the declared query, address, language and request id', async () => {
    let seen: unknown;
    const { http } = await fakeServer({
      env: { TRUST_PROXY: 'loopback' },
      handlers: { getCountries: async (request) => ((seen = request), { body: [] }) },
    });
    await http.inject({
      url: '/rest/paises/?x=1',
      headers: { 'accept-language': 'pt', 'x-request-id': 'request-0001', 'user-agent': 'Browser/1' },
    });
    expect(seen).toEqual({
      params: {},
      query: {},
      body: {},
      cookies: {},
      caller: null,
      origin: {
        by: { citizenId: null },
        address: '127.0.0.1',
        language: 'pt',
        requestId: 'request-0001',
        userAgent: 'Browser/1',
      },
    });
  });

  test.each([
    { given: 'abcdefgh-1', proxy: 'loopback', kept: true, note: 'a sane one of a trusted proxy' },
    { given: 'abcdefgh-1', proxy: '1', kept: true, note: 'that of the one proxy in front' },
    { given: 'abcdefgh-1', proxy: 'off', kept: false, note: 'that of anybody else' },
    { given: 'abcdefgh-1', proxy: '10.0.0.5', kept: false, note: 'that of another address than the proxy' },
    { given: 'x', proxy: 'loopback', kept: false, note: 'too short' },
    { given: 'a b"\u00e9<script>', proxy: 'loopback', kept: false, note: 'with foreign characters' },
    { given: 'a'.repeat(100), proxy: 'loopback', kept: false, note: 'too long' },
  ])('a request id is kept when it is $note: $kept', async ({ given, proxy, kept }) => {
    const { http } = await fakeServer({ env: { TRUST_PROXY: proxy } });
    const { headers } = await http.inject({ url: '/healthz', headers: { 'x-request-id': given } });
    expect(headers['x-request-id'] === given).toBe(kept);
    expect(headers['x-request-id']).toMatch(/^[\w.-]{8,64}$/);
  });

  test('health and readiness', async () => {
    const { http } = await fakeServer();
    expect((await http.inject('/healthz')).json()).toEqual({ status: 'ok', lag_ms: expect.any(Number) });
    expect((await http.inject('/readyz')).json()).toEqual({ status: 'ready', definitions: 'v1' });
  });
});

describe('the log', () => {
  const secrets = [
    'hunter2-password',
    'bearer-secret',
    'cookie-secret',
    'uuid-secret',
    '12345672',
    'set-secret',
    '1.234.567-2',
  ];

  test('[SES-02] holds no body, header, cookie, query value or document', async () => {
    const fault = Object.assign(new Error('Key (numero_documento)=(12345672) and 1.234.567-2'), {
      detail: 'hunter2-password',
    });
    const { http, log } = await fakeServer({
      handlers: {
        answerChallenge: async () => {
          throw fault;
        },
        logout: async () => ({
          body: { logout_urls: [], location: '/', wait_longer: false },
          cookies: { session: { value: 'set-secret', maxAge: 1 } },
        }),
      },
    });
    const headers = { ...json, authorization: 'Bearer bearer-secret', cookie: 'portal-session=cookie-secret' };
    const payload = { challenge: 'username', data_challenge: { password: 'hunter2-password', username: '12345672' } };
    await http.inject({ method: 'POST', url: '/auth/login?uuid=uuid-secret', headers, payload });
    await http.inject({ method: 'POST', url: '/auth/logout', headers, payload: {} });
    await http.inject({ url: '/registro/activar-cuenta?uuid=uuid-secret', headers });
    await http.inject({ url: '/algo/12345672', headers });
    http.log.info({ password: 'hunter2-password', req: { headers } }, 'careless line');
    expect(log()).toContain('"path":"/auth/login"');
    expect(log()).toContain('operation failed');
    for (const secret of secrets) expect(log()).not.toContain(secret);
  });
});

test('[SEG-04] what a call does, also after its answer, is told to be the doing of who made it', async () => {
  const told: object[] = [];
  const tell = (origin: Origin) => void told.push({ actor: resolveActor(origin, 'c-1'), userAgent: origin.userAgent });
  const { http } = await fakeServer({
    handlers: {
      getCountries: async ({ origin }) => {
        tell(origin);
        return { body: [], after: async () => tell(origin) };
      },
    },
  });
  const address = await http.listen({ port: 0 });
  for (const headers of [
    { authorization: 'Bearer citizen', 'user-agent': 'a' },
    { authorization: 'Bearer agent', 'user-agent': 'b' },
  ])
    await fetch(`${address}/rest/paises/`, { headers });
  await http.close();
  expect(told.toSorted((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
    { actor: 'citizen', userAgent: 'a' },
    { actor: 'citizen', userAgent: 'a' },
    { actor: 'unidentified', userAgent: 'b' },
    { actor: 'unidentified', userAgent: 'b' },
  ]);
  expect(resolveActor(ownOrigin('system', 'purge'), 'c-1')).toBe('system');
});
